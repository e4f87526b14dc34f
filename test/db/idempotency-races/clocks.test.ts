import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { type Child, startChild } from "@/test/factories/idempotency-child";
import { passTime, proofDatabase } from "@/test/factories/idempotency-database";
import { leaseMs, ttlMs } from "@/test/factories/idempotency-handlers";
import { newOrder, type Order, place, startProvider, startService } from "@/test/factories/idempotency-service";
import { businessRowsOf, happened, operationOf } from "@/test/factories/idempotency-truth";
import type { TestDatabase } from "@/test/postgres";

const tenMinutes = 600_000;
const cases: [string, LayoutName, number][] = [
  ["ahead", "plain", tenMinutes],
  ["behind", "daily", -tenMinutes],
];

describe.each(cases)("a service whose clock is ten minutes %s, %s layout", (_, layout, shiftMs) => {
  let database: TestDatabase;
  let provider: Child;
  let right: Child;
  let wrong: Child;

  beforeAll(async () => {
    database = await proofDatabase(layout);
    provider = await startProvider();
    const options = { database, layout, provider };
    [right, wrong] = await Promise.all([startService(options), startService({ ...options, shiftMs })]);
  });
  afterAll(async () => {
    await Promise.all([provider, right, wrong].map((child) => child.stop()));
    await database.close();
  });

  /** The row of an order, its times in ms from the database's now. */
  async function row({ key }: Order) {
    const ms = (column: string) => `extract(epoch FROM ${column} - clock_timestamp())::float8 * 1000`;
    const { rows } = await database.pool.query(
      `SELECT state, ${ms("locked_until")} AS lease, ${ms("created_at")} AS created, ${ms("expires_at")} AS expires
       FROM idempotency_keys WHERE idem_key = $1 ORDER BY created_at DESC`,
      [key],
    );
    return rows[0];
  }

  test("its clock really is wrong", () => {
    expect(Math.abs(wrong.clock - Date.now() - shiftMs)).toBeLessThan(60_000);
  });

  test.each(["atomic", "separate", "external"] as const)("%s: lease and expiry are the database's", async (mode) => {
    const order = newOrder(mode);
    expect(await place(wrong, order)).toMatchObject({ status: 201, replayed: false });
    const { lease, created, expires } = await row(order);
    expect(lease - created).toBeCloseTo(leaseMs, 0);
    expect(expires - created).toBeCloseTo(ttlMs, 0);
    expect(created).toBeGreaterThan(-30_000);
    expect(created).toBeLessThanOrEqual(0);
    expect(await place(right, order)).toMatchObject({ status: 201, replayed: true });
  });

  test("a healthy lease is left alone, a past one is recovered", async () => {
    const order = newOrder("separate");
    await place(right, order, { "Die-At": "claimed" });
    right = await startService({ database, layout, provider });
    expect(await wrong.ask("recover")).toEqual({ completed: 0, failed: 0, unknown: 0 });
    expect(await place(wrong, order)).toMatchObject({ code: "request_in_progress" });
    await passTime(database.pool, "61 seconds");
    expect(await wrong.ask("recover")).toEqual({ completed: 0, failed: 1, unknown: 0 });
    expect(await place(wrong, order)).toMatchObject({ code: "outcome_pending" });
  });

  test("a window ends by the database's clock, then and only then", async () => {
    const order = newOrder("atomic");
    await place(wrong, order);
    await passTime(database.pool, "59 minutes");
    expect(await place(wrong, order)).toMatchObject({ replayed: true });
    await passTime(database.pool, "2 minutes");
    expect(await place(wrong, order)).toMatchObject({ status: 201, replayed: false });
    expect(await happened(database, provider, order)).toHaveLength(2);
  });

  test("a client whose clock is as wrong the other way: one key, one run", async () => {
    const tenant = randomUUID();
    const env = { SHIFT_MS: String(-shiftMs), TENANT: tenant };
    const client = await startChild("./idempotency-client-process.ts", env, ["./idempotency-shifted-clock.ts"]);
    const result = (await client.ask(`${wrong.url}/v1/separate`)) as { outcome: string; key: string; attempts: number };
    await client.stop();
    expect(result.outcome).toBe("done");
    expect(result.attempts).toBeGreaterThan(1);
    const operation = operationOf({ mode: "separate", tenant, key: result.key });
    expect(await businessRowsOf(database, operation)).toHaveLength(1);
  });
});
