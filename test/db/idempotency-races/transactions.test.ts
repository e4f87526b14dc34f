import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, pgDatabase } from "@/lib/idempotency";
import { proofDatabase } from "@/test/factories/idempotency-database";
import { newOrder, place, startProvider, startService } from "@/test/factories/idempotency-service";
import type { TestDatabase } from "@/test/postgres";

describe("where a commit or a connection fails without an error", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await proofDatabase("plain");
  });
  afterAll(() => database.close());

  test("a handler that swallows a failed statement has not written: no stored success", async () => {
    const db = pgDatabase(database.pool);
    const options = { db, layout: "plain", endpoint: "POST /v1/separate", mode: "separate" } as const;
    const handle = idempotent(options, async () => {
      await db.transaction((tx) => tx.query`SELECT 1 / 0`.catch(() => []));
      return Response.json({ written: true }, { status: 201 });
    });
    const headers = { "Idempotency-Key": generateKey() };
    const answer = await handle(new Request("http://api.test/", { method: "POST", headers }), newOrder("separate"));
    expect(await answer.json()).toMatchObject({ status: 502, code: "outcome_unknown" });
  });

  test("a client that hangs up loses its answer; the service goes on and replays it", async () => {
    const provider = await startProvider();
    const service = await startService({ database, layout: "plain", provider });
    const order = newOrder("separate");
    const headers = { "Idempotency-Key": order.key, Tenant: order.tenant, "Hold-Ms": "300" };
    const init = { method: "POST", headers, body: '{"amount":4200}', signal: AbortSignal.timeout(100) };
    await expect(fetch(`${service.url}/v1/separate`, init)).rejects.toThrow();
    const again = { "Content-Type": "text/plain;charset=UTF-8" };
    await expect.poll(() => place(service, order, again), { timeout: 10_000 }).toMatchObject({ replayed: true });
    expect(service.process.exitCode).toBeNull();
    await Promise.all([service.stop(), provider.stop()]);
  });
});
