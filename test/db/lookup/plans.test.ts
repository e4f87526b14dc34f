import "server-only";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, Prisma, type Transaction } from "@/lib/db/client";
import { mintScope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import { hashKey } from "@/lib/idempotency";
import { readCoverage } from "@/lib/lookup/queries/coverage";
import { readEvents, readKeyless } from "@/lib/lookup/queries/events";
import { rowsOfKey, rowsOfKeyAnywhere } from "@/lib/lookup/queries/exact-key";
import { findHits, findHitsByHash, source, where } from "@/lib/lookup/queries/hits";
import { listKeys } from "@/lib/lookup/queries/list";
import { rowsOfHits } from "@/lib/lookup/queries/rows-of-hits";
import { readSecrets } from "@/lib/lookup/queries/stored";
import { readRow } from "@/lib/lookup/queries/subject";
import { readTwins } from "@/lib/lookup/queries/twins";
import { readTenantIds } from "@/lib/lookup/queries/yardstick";
import { buildFixture } from "@/test/factories/fixture";
import { type Desk, openDesk } from "../desk";

/** Enough rows in each of 30 days that reading one whole is never the cheapest. */
const SIZE = { rows: 60_000, days: 30, tenants: 40, endpoints: 8 };
const bounds = { from: null, to: null, endpoint: null };
const NOBODY = "00000000-0000-4000-8000-000000000000";

interface Sample {
  id: string;
  tenantId: string;
  endpoint: string;
  key: string;
  createdAt: string;
  keyHash: string;
}

let desk: Desk;
let sample: Sample;

beforeAll(async () => {
  desk = await openDesk();
  await buildFixture(desk.pool, SIZE);
  const { rows } = await desk.pool.query(
    `SELECT id::text, tenant_id::text AS "tenantId", endpoint, idem_key AS key, idemdesk.utc(created_at) AS "createdAt"
     FROM idempotency_keys WHERE id = ${SIZE.rows / 2}`,
  );
  sample = { ...rows[0], keyHash: hashKey(rows[0].key) };
}, 240_000);

afterAll(() => desk.close());

/** Runs a question with each of its statements explained first; answers the plans. */
function plansOf(tenants: "*" | string[], ask: (tx: Transaction) => Promise<unknown>): Promise<string> {
  return scopedRead(mintScope(tenants, NOBODY), async (tx) => {
    const plans: string[] = [];
    await ask(explaining(tx, plans));
    return plans.join("\n");
  });
}

function explaining(tx: Transaction, plans: string[]): Transaction {
  const $queryRaw: Database["$queryRaw"] = (async (query: Prisma.Sql) => {
    const explained = await tx.$queryRaw<Record<string, string>[]>(Prisma.sql`EXPLAIN (COSTS OFF) ${query}`);
    plans.push(explained.map((line) => Object.values(line)[0]).join("\n"));
    return tx.$queryRaw(query);
  }) as Database["$queryRaw"];
  return new Proxy(tx, { get: (target, name) => (name === "$queryRaw" ? $queryRaw : Reflect.get(target, name)) });
}

/** Days that hold rows; those ahead are empty, and reading nothing whole costs nothing. */
async function readWhole(plan: string): Promise<string[]> {
  const { rows } = await desk.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE reltuples > 0 AND relkind = 'r' AND relname ~ '^(event|idempotency_keys)_'",
  );
  const full = new Set(rows.map(({ name }) => name));
  return [...plan.matchAll(/Seq Scan on (\S+)/g)].map(([, name = ""]) => name).filter((name) => full.has(name));
}

const list = (more: object = {}) => ({ direction: "desc" as const, after: null, limit: 50, ...more });

const questions: [name: string, ask: (tx: Transaction, tenantIds: string[]) => Promise<unknown>][] = [
  ["exact key", (tx, tenantIds) => rowsOfKey(tx, { tenantIds, ...sample }, bounds)],
  ["exact key, endpoint unknown", (tx, tenantIds) => rowsOfKeyAnywhere(tx, tenantIds.slice(0, 5), sample.key, bounds)],
  ["row id", (tx) => readRow(tx, sample.tenantId, sample.id)],
  ["key hash", (tx) => findHitsByHash(tx, "keyHash", sample.keyHash, "infinity")],
  ["key hash within a time", (tx) => findHits(tx, "keyHash", source.keyHash(sample.keyHash, bounds), bounds)],
  [
    "start of a hash",
    (tx) => findHits(tx, "keyHashPrefix", source.keyHashPrefix(sample.keyHash.slice(0, 8), bounds), bounds),
  ],
  ["fingerprint", (tx) => findHits(tx, "fingerprint", source.fingerprint("ab".repeat(32), bounds), bounds)],
  ["request id", (tx) => findHits(tx, "requestId", source.requestId("r", bounds), bounds)],
  ["trace id", (tx) => findHits(tx, "traceId", source.traceId("t", bounds), bounds)],
  ["provider reference", (tx) => findHits(tx, "providerReference", source.providerReference("p", bounds), bounds)],
  ["customer", (tx) => findHits(tx, "customer", source.customer(["cus_1", "email:k1:hash"], bounds), bounds)],
  ["order or invoice", (tx) => findHits(tx, "reference", source.reference("ORD-1", bounds), bounds)],
  [
    "amount and time",
    (tx, tenantIds) => {
      const near = { ...bounds, from: sample.createdAt, to: "infinity" };
      const asked = Prisma.sql`e.tenant_id = ANY (${tenantIds}::uuid[]) AND e.amount = ${500}::bigint AND e.currency = 'EUR' AND e.kind = 'claimed'`;
      return findHits(tx, "amount", where(asked, near), near);
    },
  ],
  ["rows of hits", (tx) => rowsOfHits(tx, [{ ...sample, claims: [sample.createdAt] }])],
  ["list", (tx, tenantIds) => listKeys(tx, tenantIds, list())],
  ["list, second page", (tx, tenantIds) => listKeys(tx, tenantIds, list({ after: sample }))],
  ["list of one endpoint", (tx, tenantIds) => listKeys(tx, tenantIds, list({ endpoint: sample.endpoint }))],
  ["list of open rows", (tx, tenantIds) => listKeys(tx, tenantIds, list({ states: ["unknown", "failed"] }))],
  ["events of a key", (tx) => readEvents(tx, sample, 501)],
  [
    "twins, and attempts without a key",
    async (tx) => {
      const events = await readEvents(tx, sample, 501);
      const [claim] = events;
      if (!claim) throw new Error("the sample has no claim");
      await readTwins(tx, sample, claim, 900_000);
      await readKeyless(tx, sample, [claim, { ...claim, kind: "replayed", at: "2999-01-01T00:00:00.000000Z" }]);
    },
  ],
  ["stored body", (tx) => readSecrets(tx, sample, 1_000)],
  ["coverage", (tx, tenantIds) => readCoverage(tx, tenantIds)],
];

describe("planned for their values", () => {
  test.each(questions)("%s reads no day whole, for one tenant and for all", async (_, ask) => {
    const one = await plansOf([sample.tenantId], (tx) => ask(tx, [sample.tenantId]));
    const all = await plansOf("*", async (tx) => ask(tx, await readTenantIds(tx)));
    expect(one).toMatch(/Index|Function Scan/);
    expect(await readWhole(one)).toEqual([]);
    expect(await readWhole(all)).toEqual([]);
  });
});

describe("planned once for any values, as a busy process comes to run them", () => {
  test.each(questions)("%s reads no row but through an index", async (_, ask) => {
    const before = await rowsReadWhole();
    await runGeneric([sample.tenantId], (tx) => ask(tx, [sample.tenantId]));
    await runGeneric("*", async (tx) => ask(tx, await readTenantIds(tx)));
    expect(await rowsReadWhole()).toBe(before);
  });
});

test("a statement that does read a day whole is seen", async () => {
  const before = await rowsReadWhole();
  const owner = await desk.pool.connect();
  await owner.query("SELECT count(*) FROM idemdesk.event WHERE error_code = 'nothing'");
  await owner.query("SELECT pg_stat_force_next_flush()");
  owner.release();
  expect(await rowsReadWhole()).toBeGreaterThanOrEqual(before + SIZE.rows);
});

function runGeneric(tenants: "*" | string[], ask: (tx: Transaction) => Promise<unknown>): Promise<void> {
  return scopedRead(mintScope(tenants, NOBODY), async (tx) => {
    await tx.$queryRaw`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`;
    await ask(tx);
    await tx.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  });
}

/** Rows of keys and events that sequential scans have read so far. */
async function rowsReadWhole(): Promise<number> {
  const { rows } = await desk.pool.query<{ read: number }>(
    `SELECT coalesce(sum(seq_tup_read), 0)::float8 AS read FROM pg_stat_user_tables
     WHERE relname ~ '^(event|idempotency_keys)_'`,
  );
  return rows[0]?.read ?? Number.NaN;
}

test("a statement over its time is 503 with advice, and no word of the database's", async () => {
  const { POST } = await import("@/app/api/v1/keys/search/route");
  const { send } = await import("../desk");
  const reader = await desk.operator("support");
  await desk.pool.query("ALTER TABLE idempotency_keys RENAME TO slow_keys");
  await desk.pool.query(
    "CREATE OR REPLACE VIEW idemdesk.key AS SELECT id, tenant_id, endpoint, idem_key, fingerprint, state, response_status, response_body, response_headers, locked_until, created_at, expires_at FROM slow_keys, pg_sleep(9)",
  );
  const answer = await send(POST, {}, { token: reader.token, body: { states: ["unknown"] } });
  expect(answer).toMatchObject({ status: 503, json: { code: "query_timeout", retryable: true } });
  expect(answer.json.detail).toMatch(/Narrow it/);
  expect(answer.text).not.toMatch(/canceling|statement|pg_sleep/);
}, 60_000);
