import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBody } from "@/lib/idempotency";
import { clientKinds } from "@/lib/sandbox/clients";
import { seedSandbox } from "@/lib/sandbox/history/seed";
import { recoverOperations } from "@/lib/sandbox/service/recover";
import { createService } from "@/lib/sandbox/service/service";
import { type TestDatabase, testDatabase } from "@/test/postgres";
import { ring } from "./shop";

const bodyKeys = [{ id: "k1", key: ring.keys.k1 ?? new Uint8Array() }];
const OPERATIONS = 6_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await seedSandbox(database.pool, { operations: OPERATIONS, seed: "test", bodyKeys });
}, 120_000);
afterAll(() => database.close());

async function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await database.pool.query<Row>(text, values)).rows;
}

/** Rows that should not be there, a few of them, for the message of a failure. */
async function expectNone(text: string): Promise<void> {
  expect(await query(`${text} LIMIT 5`)).toEqual([]);
}

describe("a history", () => {
  test("has the size, the days and the skew asked for", async () => {
    const [size] = await query<{ operations: number; days: number; tenants: number; newest: number }>(`
      SELECT count(*)::int AS operations, (SELECT count(*)::int FROM idemdesk.tenant) AS tenants,
        (SELECT extract(epoch FROM max(occurred_at) - min(occurred_at))::float8 / 86400 FROM idemdesk.event) AS days,
        (SELECT extract(epoch FROM clock_timestamp() - max(occurred_at))::float8 FROM idemdesk.event) AS newest
      FROM sandbox.operation_kind`);
    expect(size?.operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(size?.days).toBeGreaterThan(3);
    expect(size?.tenants).toBeGreaterThanOrEqual(20);
    expect(size?.newest).toBeGreaterThan(0);
    const shares = await query<{ n: number }>(
      "SELECT count(*)::int AS n FROM sandbox.operation_kind GROUP BY tenant_id ORDER BY n DESC",
    );
    expect((shares[0]?.n ?? 0) / (shares.at(-1)?.n ?? 1)).toBeGreaterThan(20);
  });

  test("shows every kind of client", async () => {
    const kinds = await query<{ kind: string }>("SELECT DISTINCT kind FROM sandbox.operation_kind");
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(clientKinds.map(({ name }) => name)));
  });

  test("charges each operation as often as its kind says, by the provider's ledger", () =>
    expectNone(`
      SELECT k.kind, k.charges AS expected, count(c.id) AS charged
      FROM sandbox.operation_kind AS k
      LEFT JOIN (
        SELECT DISTINCT tenant_id, endpoint, sha256(convert_to(idem_key, 'UTF8')) AS key_hash, downstream_key
        FROM public.idempotency_effect) AS e USING (tenant_id, endpoint, key_hash)
      LEFT JOIN sandbox.provider_charge AS c ON c.downstream_key = e.downstream_key AND c.status <> 'declined'
      GROUP BY k.tenant_id, k.endpoint, k.key_hash, k.kind, k.charges
      HAVING count(c.id) <> k.charges`));

  test("has for each completed row one business record and one entry in the ledger that agree", () =>
    expectNone(`
      SELECT k.idem_key, k.state, b.amount, c.amount
      FROM public.idempotency_keys AS k
      LEFT JOIN (
        SELECT tenant_id, endpoint, idem_key, operation_at, status, amount, currency, provider_reference
        FROM sandbox.payment
        UNION ALL
        SELECT tenant_id, endpoint, idem_key, operation_at, status, amount, currency, provider_reference
        FROM sandbox.refund) AS b
        ON (b.tenant_id, b.endpoint, b.idem_key, b.operation_at) = (k.tenant_id, k.endpoint, k.idem_key, k.created_at)
      LEFT JOIN sandbox.provider_charge AS c ON c.id = b.provider_reference
      WHERE (k.state = 'completed') <> (
        c.id IS NOT NULL AND c.amount = b.amount AND c.currency = b.currency
        AND (c.status = 'declined') = (k.response_status = 402))`));

  test("holds each key by a guard that agrees with its newest row", () =>
    expectNone(`
      SELECT * FROM public.idempotency_guard AS g
      FULL JOIN (
        SELECT DISTINCT ON (tenant_id, endpoint, idem_key) * FROM public.idempotency_keys
        ORDER BY tenant_id, endpoint, idem_key, created_at DESC) AS k USING (tenant_id, endpoint, idem_key)
      WHERE k.created_at IS DISTINCT FROM g.key_created_at
        OR g.free_at IS DISTINCT FROM CASE WHEN k.state = 'completed' THEN k.expires_at END`));

  test("tells each row's state by events of the same operation", () =>
    expectNone(`
      SELECT k.state, k.response_status, e.kind, e.response_status
      FROM public.idempotency_keys AS k
      LEFT JOIN LATERAL (
        SELECT kind, response_status FROM idemdesk.event
        WHERE tenant_id = k.tenant_id AND endpoint = k.endpoint
          AND key_hash = sha256(convert_to(k.idem_key, 'UTF8')) AND fingerprint IS DISTINCT FROM '\\x00'
          AND kind IN ('completed', 'recovered', 'marked_unknown', 'effect_started')
          AND occurred_at BETWEEN k.created_at AND k.created_at + interval '12 hours'
        ORDER BY occurred_at DESC LIMIT 1) AS e ON true
      WHERE CASE k.state
        WHEN 'completed' THEN e.kind NOT IN ('completed', 'recovered') OR e.response_status <> k.response_status
        WHEN 'unknown' THEN e.kind <> 'marked_unknown'
        ELSE e.kind <> 'effect_started' END IS NOT FALSE`));

  test("keeps no raw key in any event", () =>
    expectNone(`
      SELECT e.event_id FROM idemdesk.event AS e
      JOIN public.idempotency_keys AS k ON k.idem_key IN (e.request_id, e.trace_id, e.provider_reference, e.event_id)`));

  test("has removed some rows and kept the events of what ran", async () => {
    const [cleaned] = await query<{ n: number; orphans: number }>(`
      SELECT count(*)::int AS n, count(*) FILTER (WHERE e.key_hash IS NULL)::int AS orphans
      FROM sandbox.operation_kind AS k
      LEFT JOIN idemdesk.event AS e USING (tenant_id, endpoint, key_hash)
      WHERE k.verdict = 'cleaned' AND (e.kind IS NULL OR e.kind = 'cleaned')`);
    expect(cleaned?.n).toBeGreaterThan(50);
    expect(cleaned?.orphans).toBe(0);
  });

  test("seals each answer for its own operation", async () => {
    const rows = await query<{ tenant: string; endpoint: string; key: string; body: Buffer; id: string }>(`
      SELECT k.tenant_id::text AS tenant, k.endpoint, k.idem_key AS key, k.response_body AS body, p.id
      FROM public.idempotency_keys AS k
      JOIN sandbox.payment AS p ON p.operation_at = k.created_at AND p.idem_key = k.idem_key
      WHERE k.response_status = 201 LIMIT 50`);
    for (const { body, id, ...operation } of rows) {
      expect(JSON.parse(openBody(body, ring, operation).toString())).toMatchObject({ id });
    }
    expect(rows).toHaveLength(50);
  });
});

test("the same seed and end make the same history", async () => {
  const other = await testDatabase();
  const third = await testDatabase();
  const end = Date.now() - 60_000;
  const options = { operations: 600, seed: "again", now: end, bodyKeys, tenants: 5 };
  await seedSandbox(other.pool, options);
  await seedSandbox(third.pool, options);
  expect(await digest(other)).toEqual(await digest(third));
  await other.close();
  await third.close();
});

/** What must be the same: all but API keys, sealed bodies and when the rows were loaded. */
async function digest({ pool }: TestDatabase): Promise<unknown> {
  const { rows } = await pool.query(`
    SELECT
      (SELECT md5(string_agg(to_jsonb(k) - 'response_body' #>> '{}', '' ORDER BY id)) FROM public.idempotency_keys k) AS keys,
      (SELECT md5(string_agg(g::text, '' ORDER BY idem_key)) FROM public.idempotency_guard g) AS guards,
      (SELECT md5(string_agg(p::text, '' ORDER BY id)) FROM sandbox.payment p) AS payments,
      (SELECT md5(string_agg(c::text, '' ORDER BY id)) FROM sandbox.provider_charge c) AS charges,
      (SELECT md5(string_agg(o::text, '' ORDER BY key_hash)) FROM sandbox.operation_kind o) AS kinds,
      (SELECT md5(string_agg(to_jsonb(e) - 'xid' #>> '{}', '' ORDER BY event_id)) FROM idemdesk.event e) AS events`);
  expect(Object.values(rows[0] ?? {}).every((value) => typeof value === "string")).toBe(true);
  return rows[0];
}

test("what a history leaves open, recovery settles from the provider", async () => {
  await database.pool.query(
    "UPDATE public.idempotency_keys SET locked_until = locked_until - interval '1 minute' WHERE state = 'in_progress'",
  );
  const errors: unknown[] = [];
  const service = createService(database.pool, { ring, report: (error) => errors.push(error) });
  await recoverOperations(service);
  await recoverOperations(service);
  expect(errors).toEqual([]);
  await expectNone(`
    SELECT k.kind, r.state FROM sandbox.operation_kind AS k
    JOIN public.idempotency_keys AS r ON r.tenant_id = k.tenant_id AND r.endpoint = k.endpoint
      AND sha256(convert_to(r.idem_key, 'UTF8')) = k.key_hash
    WHERE (r.state = 'completed') <> (k.kind NOT IN ('lost_answer_held', 'crash_before_charge'))`);
});
