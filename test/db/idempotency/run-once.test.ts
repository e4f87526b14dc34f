import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, JobRefused, NotExecuted, runOnce } from "@/lib/idempotency";
import { type Service, startService } from "./service";

describe("jobs of a queue", () => {
  let service: Service;
  const endpoint = "JOB /payouts/monthly";

  beforeAll(async () => {
    service = await startService("plain");
  });
  afterAll(() => service.close());

  function payouts(run: (payload: unknown) => unknown = (payload) => ({ paid: payload })) {
    const { db, sink } = service;
    return runOnce({ db, sink, layout: "plain", endpoint, mode: "atomic" }, async (payload, { tx, operation }) => {
      await tx.query`INSERT INTO payment (tenant_id, endpoint, idem_key)
        VALUES (${operation.tenant}::uuid, ${endpoint}, ${operation.key})`;
      return run(payload);
    });
  }

  async function payments(key: string) {
    return (await service.pool.query("SELECT FROM payment WHERE idem_key = $1", [key])).rowCount;
  }

  test("delivered three times: paid once, and every delivery gets the result", async () => {
    const key = generateKey();
    const run = payouts();
    const results = [];
    for (let delivery = 0; delivery < 3; delivery++) results.push(await run(service, key, { amount: 5 }));
    expect(results.map(({ replayed }) => replayed)).toEqual([false, true, true]);
    expect(new Set(results.map(({ result }) => JSON.stringify(result)))).toEqual(new Set(['{"paid":{"amount":5}}']));
    expect(await payments(key)).toBe(1);
  });

  test("delivered three times at once: paid once", async () => {
    const key = generateKey();
    const run = payouts();
    const deliveries = await Promise.allSettled([1, 2, 3].map(() => run(service, key, { amount: 5 })));
    const refusals = deliveries.flatMap((it) => (it.status === "rejected" ? [it.reason] : []));
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: "request_in_progress", retryable: true });
    expect(await payments(key)).toBe(1);
  });

  test("a failed delivery leaves the key free for the next", async () => {
    const key = generateKey();
    const refusing = payouts(() => {
      throw new NotExecuted(Response.json({}, { status: 409 }));
    });
    await expect(refusing(service, key, {})).resolves.toMatchObject({ replayed: false });
    const failing = payouts(() => {
      throw new Error("no funds");
    });
    await expect(failing(service, key, {})).rejects.toMatchObject({ code: "internal_error", retryable: true });
    await expect(payouts()(service, key, {})).resolves.toMatchObject({ replayed: false });
    expect(await payments(key)).toBe(1);
  });

  test.each([
    ["another payload", generateKey(), "idempotency_key_reuse"],
    ["a key that is none", "not a key", "idempotency_key_invalid"],
  ])("%s is refused for good", async (_, key, code) => {
    const run = payouts();
    if (code === "idempotency_key_reuse") await run(service, key, { amount: 1 });
    const refusal = await run(service, key, { amount: 2 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(JobRefused);
    expect(refusal).toMatchObject({ code, retryable: false });
  });
});
