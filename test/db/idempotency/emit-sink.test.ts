import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  dailyTablesSql,
  dayPartitionSql,
  emitSink,
  generateKey,
  hashKey,
  idempotent,
  pgDatabase,
} from "@/lib/idempotency";
import { type TestDatabase, testDatabase } from "../../postgres";
import { endpoint, post } from "./service";

describe("events written through idemdesk.emit", () => {
  let database: TestDatabase;
  const tenant = randomUUID();
  const tables = { keys: "shop.idempotency_keys", guard: "shop.idempotency_guard", effect: "shop.idempotency_effect" };

  beforeAll(async () => {
    database = await testDatabase();
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await database.pool.query(
      `CREATE SCHEMA shop; ${dailyTablesSql(tables)} ${dayPartitionSql(today, tables)} ${dayPartitionSql(tomorrow, tables)}`,
    );
  });
  afterAll(() => database.close());

  async function events(key: string) {
    const { rows } = await database.pool.query(
      `SELECT kind, amount::int, currency, refs, replayed, response_status, request_id
       FROM idemdesk.event WHERE key_hash = decode($1, 'hex') ORDER BY occurred_at, kind`,
      [hashKey(key)],
    );
    return rows;
  }

  test("a claim carries its facts; attempts follow in their own transaction", async () => {
    const db = pgDatabase(database.pool);
    const sink = emitSink(db, { flushMs: 60_000 });
    const key = generateKey();
    const describe = () => ({ amount: 4200, currency: "EUR", references: ["order-1\u0000"], customer: "c1" });
    const handle = idempotent({ db, sink, tables, layout: "daily", endpoint, mode: "separate", describe }, () =>
      Response.json({}, { status: 201 }),
    );
    await handle(post(key, {}, { "X-Request-Id": key }), { tenant });
    await handle(post(key), { tenant });
    await handle(post(key, {}), { tenant });
    expect((await events(key)).map(({ kind }) => kind)).toEqual(["claimed", "completed"]);
    await sink.close();
    const written = await events(key);
    expect(written.map(({ kind }) => kind)).toEqual(["claimed", "completed", "mismatch", "replayed"]);
    expect(written[0]).toMatchObject({
      amount: 4200,
      currency: "EUR",
      refs: ["order-1\uFFFD"],
      request_id: hashKey(key),
    });
    expect(written.at(-1)).toMatchObject({ replayed: true, response_status: 201 });
  });

  test("an event that cannot be written undoes its claim", async () => {
    const db = pgDatabase(database.pool);
    const sink = emitSink(db, { function: "idemdesk.nowhere" });
    const key = generateKey();
    const handle = idempotent({ db, sink, tables, layout: "daily", endpoint, mode: "separate" }, () =>
      expect.fail("must not run"),
    );
    expect((await handle(post(key), { tenant })).status).toBe(503);
    const { rowCount } = await database.pool.query("SELECT FROM shop.idempotency_guard WHERE idem_key = $1", [key]);
    expect(rowCount).toBe(0);
  });

  test("attempts survive an outage, up to the capacity", async () => {
    const gone = new Pool({ connectionString: "postgres://nobody@127.0.0.1:1/none", connectionTimeoutMillis: 300 });
    const [away, back] = [pgDatabase(gone), pgDatabase(database.pool)];
    let db = away;
    const drops: number[] = [];
    const sink = emitSink(
      { query: (strings, ...values) => db.query(strings, ...values), transaction: (run) => db.transaction(run) },
      { capacity: 3, flushMs: 60_000, report: (_, dropped) => drops.push(dropped) },
    );
    const key = generateKey();
    const attempt = { tenantId: tenant, endpoint, keyHash: hashKey(key), kind: "conflict" } as const;
    for (let count = 0; count < 5; count++) {
      sink.attempt({ ...attempt, eventId: randomUUID(), occurredAt: new Date().toISOString() });
    }
    await sink.flush();
    expect(drops).toEqual([2]);
    db = back;
    await sink.close();
    expect(await events(key)).toHaveLength(3);
    await gone.end();
  });
});
