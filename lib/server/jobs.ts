import "server-only";
import type { Pool } from "pg";
import { defaultMapping } from "@/lib/db/key-view";
import { releaseAbandoned, removeLapsed } from "@/lib/http/jobs";
import { createSandboxDays } from "@/lib/sandbox/install";
import { recoverSandbox } from "@/lib/sandbox/jobs";

/** The worker's connections; what is null is not configured, and what needs it is left to others. */
export interface WorkerPools {
  worker: Pool;
  maintenance: Pool | null;
  /** The sandbox payments service; the embedded default only. */
  sandbox: Pool | null;
}

/** Work that is done again and again, each time from the start. Two workers may be at it at once. */
export interface Job {
  name: string;
  /** When it runs beside the worker's start: a cron line in UTC, or a pause in seconds after its last end. */
  when: { cron: string } | { everySeconds: number };
  run(pools: WorkerPools): Promise<void>;
}

/** Days of events made ahead; under 3 the desk is not ready. */
const DAYS_AHEAD = 14;

/** Creates the days of events that are missing, from today on: a second worker waits for the first and finds none. */
async function createEventDays({ worker }: WorkerPools): Promise<void> {
  await worker.query(
    `WITH alone AS MATERIALIZED (
       SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS today
       FROM pg_advisory_xact_lock(hashtext('idemdesk event days')))
     SELECT idemdesk.create_event_partitions(today, today + $1::int) FROM alone`,
    [DAYS_AHEAD + 1],
  );
}

/** The sandbox's own days of keys. Another service's table is its own affair until cleanup is switched on for it. */
async function createKeyDays({ maintenance, sandbox }: WorkerPools): Promise<void> {
  if (maintenance && sandbox) await createSandboxDays(maintenance);
}

/** Registers tenants seen in events or keys and not known yet, under their id until someone names them. */
async function registerTenants({ worker }: WorkerPools): Promise<void> {
  const { schema, table } = defaultMapping;
  for (const source of ["idemdesk.event", `${schema}.${table}`]) {
    const readable = await worker.query("SELECT WHERE has_table_privilege(to_regclass($1), 'SELECT')", [source]);
    if (readable.rowCount) await worker.query(registerTenantsOf(source));
  }
}

/** Walks an index from one tenant to the next, so that its cost is the number of tenants, not of rows. */
function registerTenantsOf(source: string): string {
  return `
    WITH RECURSIVE met (id) AS (
      (SELECT tenant_id FROM ${source} ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT tenant_id FROM ${source} WHERE tenant_id > met.id ORDER BY tenant_id LIMIT 1)
      FROM met
      WHERE met.id IS NOT NULL
    )
    INSERT INTO idemdesk.tenant (id, name)
    SELECT id, id::text FROM met WHERE id IS NOT NULL
    ON CONFLICT DO NOTHING`;
}

/** Keys of the desk's own writes: abandoned ones are freed, lapsed ones go. */
async function settleRequests({ worker }: WorkerPools): Promise<void> {
  await releaseAbandoned(worker);
  await removeLapsed(worker);
}

/** What the sandbox payments service would run beside itself. Leases are 5 s, so that this is worth a look often. */
async function recover({ sandbox }: WorkerPools): Promise<void> {
  if (sandbox) await recoverSandbox(sandbox);
}

export const jobs: Job[] = [
  { name: "create_event_days", when: { cron: "7 * * * *" }, run: createEventDays },
  { name: "create_key_days", when: { cron: "11 * * * *" }, run: createKeyDays },
  { name: "register_tenants", when: { cron: "* * * * *" }, run: registerTenants },
  { name: "settle_requests", when: { everySeconds: 15 }, run: settleRequests },
  { name: "recover_sandbox", when: { everySeconds: 3 }, run: recover },
];
