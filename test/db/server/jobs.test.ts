import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jobs, type WorkerPools } from "@/lib/server/jobs";
import { type TestDatabase, testDatabase } from "@/test/postgres";

let database: TestDatabase;
let pools: WorkerPools;

beforeAll(async () => {
  database = await testDatabase();
  pools = {
    worker: new Pool({ connectionString: database.urlFor("idemdesk_worker") }),
    maintenance: new Pool({ connectionString: database.urlFor("idemdesk_maintenance") }),
    sandbox: new Pool({ connectionString: database.urlFor("sandbox_payments") }),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(pools).map((pool) => pool?.end()));
  await database.close();
});

async function runJob(name: string): Promise<void> {
  const job = jobs.find((candidate) => candidate.name === name);
  if (!job) throw new Error(`no job ${name}`);
  await job.run(pools);
}

async function addRequest(state: string, lease: string, expiry: string): Promise<string> {
  const { rows } = await database.pool.query(
    `INSERT INTO idemdesk.request (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, expires_at)
     VALUES (gen_random_uuid(), 'POST /api/v1/views', gen_random_uuid(), sha256('f'), $1,
             clock_timestamp() + $2::interval, clock_timestamp() + $3::interval)
     RETURNING id::text`,
    [state, lease, expiry],
  );
  return rows[0].id;
}

test("a key of our own is freed where its process ended, and removed once it lapsed; no other is touched", async () => {
  const kept = [
    await addRequest("in_progress", "1 minute", "1 day"),
    await addRequest("completed", "-1 minute", "1 day"),
    await addRequest("unknown", "-1 day", "-1 hour"),
  ];
  const held = await addRequest("in_progress", "-1 minute", "1 day");
  await addRequest("in_progress", "-1 minute", "1 day");
  for (let lapsed = 0; lapsed < 3; lapsed++) await addRequest("completed", "-1 day", "-1 ms");
  const finishing = await database.pool.connect();
  await finishing.query("BEGIN");
  await finishing.query("UPDATE idemdesk.request SET state = 'completed' WHERE id = $1", [held]);
  await runJob("settle_requests");
  await finishing.query("COMMIT");
  finishing.release();
  await runJob("settle_requests");
  const { rows } = await database.pool.query("SELECT id::text, state FROM idemdesk.request ORDER BY id");
  expect(rows.map(({ id }) => id)).toEqual([...kept, held]);
  expect(rows.at(-1).state).toBe("completed");
});

test("missing days of events are made again, 14 ahead, without touching the others", async () => {
  const tomorrow = "to_char((clock_timestamp() AT TIME ZONE 'UTC')::date + 1, 'YYYYMMDD')";
  const { rows } = await database.pool.query(`SELECT 'idemdesk.event_' || ${tomorrow} AS name`);
  await database.pool.query(`DROP TABLE ${rows[0].name}`);
  await Promise.all([runJob("create_event_days"), runJob("create_event_days"), runJob("create_event_days")]);
  const ahead = await database.pool.query(
    `SELECT count(*)::int AS days FROM generate_series(0, 14) AS day
     WHERE to_regclass('idemdesk.event_' || to_char((clock_timestamp() AT TIME ZONE 'UTC')::date + day, 'YYYYMMDD')) IS NOT NULL`,
  );
  expect(ahead.rows[0].days).toBe(15);
});

test("the sandbox's days of keys are made through the maintenance role", async () => {
  const leaf = await database.pool.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = 'public.idempotency_keys'::regclass ORDER BY 1 DESC LIMIT 1`,
  );
  await database.pool.query(`DROP TABLE ${leaf.rows[0].name}`);
  await runJob("create_key_days");
  const again = await database.pool.query("SELECT to_regclass($1) IS NOT NULL AS there", [leaf.rows[0].name]);
  expect(again.rows[0].there).toBe(true);
});

test("every tenant met in events or keys is registered, once, under its id", async () => {
  const [known, met, keyed] = [randomUUID(), randomUUID(), randomUUID()];
  await database.pool.query("INSERT INTO idemdesk.tenant (id, name) VALUES ($1, 'Known')", [known]);
  for (const tenant of [known, met, met]) {
    await database.pool.query(
      `SELECT idemdesk.emit(jsonb_build_array(jsonb_build_object('tenantId', $1::text, 'eventId', $2::text,
         'kind', 'rejected', 'endpoint', 'POST /v1/payments')))`,
      [tenant, randomUUID()],
    );
  }
  await database.pool.query(
    `INSERT INTO public.idempotency_keys (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, expires_at)
     VALUES ($1, 'POST /v1/payments', 'k', decode(repeat('00', 32), 'hex'), 'in_progress', now(), now() + interval '1 day')`,
    [keyed],
  );
  await runJob("register_tenants");
  const { rows } = await database.pool.query("SELECT id, name FROM idemdesk.tenant ORDER BY name = 'Known' DESC, id");
  expect(rows).toEqual([{ id: known, name: "Known" }, ...[met, keyed].sort().map((id) => ({ id, name: id }))]);
});
