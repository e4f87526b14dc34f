import type { Client, Pool } from "pg";
import { keyViewSql } from "@/lib/db/key-view";
import { dailyTablesSql, dayPartitionSql } from "@/lib/idempotency/store/ddl";

export interface FixtureSize {
  /** Keys. */
  rows: number;
  /** Daily partitions that hold them, up to and including yesterday. */
  days: number;
  tenants: number;
  endpoints: number;
}

/** The size of the quality figures; a bench may ask for other row counts. */
export const fullSize: FixtureSize = { rows: 1_000_000, days: 30, tenants: 200, endpoints: 20 };

type Connection = Pick<Client | Pool, "query">;

const DAY_MS = 86_400_000;

/**
 * Fills a migrated database with keys in daily partitions, two events for each, and the same keys in one plain table
 * (`public.plain_keys`, seen through `idemdesk.plain_key`). Everything comes from the row's number, so that the same
 * size makes the same rows. Indexes are built last: filling indexed partitions takes four times as long.
 */
export async function buildFixture(db: Connection, size: FixtureSize = fullSize): Promise<void> {
  const start = await firstDay(db, size.days);
  await makeKeyTables(db, start, size.days);
  await db.query(`SELECT idemdesk.create_event_partitions('${start}'::date, '${start}'::date + ${size.days + 2})`);
  await fillTenants(db, size);
  await withoutIndexes(db, "public.idempotency_keys", () => db.query(keysSql(start, size)));
  await withoutIndexes(db, "idemdesk.event", () => db.query(eventsSql));
  await makePlainTable(db);
  await db.query("VACUUM (ANALYZE) public.idempotency_keys, public.plain_keys, idemdesk.event, idemdesk.tenant");
}

async function firstDay(db: Connection, days: number): Promise<string> {
  const { rows } = await db.query("SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date::text AS today");
  return dayAfter(rows[0].today, -days);
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

async function makeKeyTables(db: Connection, start: string, days: number): Promise<void> {
  await db.query(`
    DROP VIEW IF EXISTS idemdesk.key;
    DROP TABLE IF EXISTS public.idempotency_keys, public.idempotency_guard, public.idempotency_effect CASCADE;`);
  await db.query(dailyTablesSql());
  const names = Array.from({ length: days + 1 }, (_, day) => dayPartitionSql(dayAfter(start, day)));
  await db.query(names.join("\n"));
  await db.query(`GRANT SELECT ON public.idempotency_keys TO idemdesk_owner; ${keyViewSql()}`);
}

function fillTenants(db: Connection, { tenants, endpoints }: FixtureSize) {
  return db.query(`
    INSERT INTO idemdesk.tenant (id, name)
    SELECT md5('tenant ' || n)::uuid, 'Tenant ' || n FROM generate_series(1, ${tenants}) AS n
    ON CONFLICT DO NOTHING;
    INSERT INTO idemdesk.endpoint (
      pattern, mode, body_codec, on_in_progress, on_expired_lease, on_completed, on_expired, on_failed, on_unknown)
    SELECT 'POST /v1/resource-' || n, 'external', 'plain', 'conflict', 'conflict', 'replay', 'execute', 'pending', 'pending'
    FROM generate_series(1, ${endpoints}) AS n
    ON CONFLICT DO NOTHING;`);
}

/** Sizes of tenants are log-uniform: each order of magnitude has as many keys. `chance` is the row's own, from 0 to 1. */
function keysSql(start: string, { rows, days, tenants, endpoints }: FixtureSize): string {
  return `
    INSERT INTO public.idempotency_keys (
      tenant_id, endpoint, idem_key, fingerprint, state, response_status, response_body, response_headers,
      locked_until, created_at, expires_at)
    SELECT md5('tenant ' || floor(power(${tenants}::float8, chance))::int)::uuid,
           'POST /v1/resource-' || (1 + n % ${endpoints}),
           overlay(md5('key ' || n) PLACING '4' FROM 13 FOR 1)::uuid::text,
           sha256(('request ' || n)::bytea),
           CASE WHEN n % 1000 = 7 THEN 'unknown' ELSE 'completed' END,
           CASE WHEN n % 1000 = 7 THEN NULL WHEN n % 20 = 3 THEN 402 ELSE 201 END,
           CASE WHEN n % 1000 = 7 THEN NULL ELSE convert_to(repeat(md5(n::text), 10), 'UTF8') END,
           '[["content-type","application/json"]]',
           at + interval '5 seconds', at, at + interval '24 hours'
    FROM (
      SELECT n,
             ((hashtextextended(n::text, 42) & 9223372036854775807) / 9223372036854775808.0)::float8 AS chance,
             '${start} 00:00:00+00'::timestamptz + n * (interval '${days} days' / ${rows + 1}) AS at
      FROM generate_series(1, ${rows}) AS n
    ) AS numbered`;
}

/** A claim and its end for each key, its request id, trace, order and customer made from the key. */
const eventsSql = `
  INSERT INTO idemdesk.event (
    tenant_id, event_id, occurred_at, received_at, kind, endpoint, key_hash, fingerprint, state, response_status,
    duration_ms, request_id, trace_id, source, provider_reference, amount, currency, refs, customer)
  SELECT k.tenant_id, md5(step || ' ' || k.idem_key), k.created_at + step * interval '180 milliseconds',
         k.created_at + step * interval '180 milliseconds',
         CASE WHEN step = 0 THEN 'claimed' WHEN k.state = 'unknown' THEN 'marked_unknown' ELSE 'completed' END,
         k.endpoint, sha256(convert_to(k.idem_key, 'UTF8')), k.fingerprint,
         CASE WHEN step = 0 THEN 'in_progress' ELSE k.state END,
         CASE WHEN step = 1 THEN k.response_status END,
         CASE WHEN step = 1 THEN 180 END,
         md5('request ' || k.idem_key)::uuid::text, md5('trace ' || k.idem_key), 'payments',
         CASE WHEN step = 1 THEN 'ch_' || md5('charge ' || k.idem_key) END,
         500 + k.id % 90000, 'EUR',
         CASE WHEN step = 0 THEN ARRAY['ORD-' || k.id, 'INV-' || k.id] END,
         CASE WHEN step = 0 THEN 'cus_' || k.id % 50000 END
  FROM public.idempotency_keys AS k
  CROSS JOIN generate_series(0, 1) AS step`;

async function makePlainTable(db: Connection): Promise<void> {
  await db.query(`
    DROP TABLE IF EXISTS public.plain_keys CASCADE;
    CREATE TABLE public.plain_keys AS SELECT * FROM public.idempotency_keys;
    ALTER TABLE public.plain_keys ADD PRIMARY KEY (id), ADD UNIQUE (tenant_id, endpoint, idem_key);
    CREATE INDEX ON public.plain_keys (tenant_id, created_at, id);
    GRANT SELECT ON public.plain_keys TO idemdesk_owner;
    CREATE VIEW idemdesk.plain_key AS
      SELECT * FROM public.plain_keys WHERE tenant_id = ANY ((SELECT idemdesk.scope())::uuid[]);
    ALTER VIEW idemdesk.plain_key OWNER TO idemdesk_owner;
    GRANT SELECT ON idemdesk.plain_key TO idemdesk_web;`);
}

/** Runs `fill` while the table has its constraints but no further index, then makes them as they were. */
async function withoutIndexes(db: Connection, table: string, fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index
     WHERE indrelid = $1::regclass
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await db.query(`DROP INDEX ${name}`);
  await fill();
  for (const { definition } of rows) await db.query(definition.replace(" ON ONLY ", " ON "));
}
