import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore, type OutcomeUnknownError } from "@/lib/idempotency/client";
import { answer, breakOff, done, type Reply, type ScriptedService, startScripted } from "./scripted-service";

let service: ScriptedService;
beforeAll(async () => {
  service = await startScripted();
});
afterAll(() => service.close());

describe("the retry table", () => {
  test.each<[string, Reply, number, string]>([
    ["201", answer(201), 1, "done"],
    ["replayed 201", answer(201, undefined, { "Idempotent-Replayed": "true" }), 1, "done"],
    ["replayed 500", answer(500, undefined, { "Idempotent-Replayed": "true" }), 1, "refused"],
    ["replayed 503", answer(503, undefined, { "Idempotent-Replayed": "true" }), 1, "refused"],
    ["422 key reuse", answer(422, "idempotency_key_reuse"), 1, "key_reuse"],
    ["409 spelled as key reuse", answer(409, "idempotency_key_reuse"), 1, "key_reuse"],
    ["422 of the business", answer(422, "amount_too_small"), 1, "refused"],
    ["409 of the business", answer(409, "already_refunded"), 1, "refused"],
    ["400 key missing", answer(400, "idempotency_key_missing"), 1, "fix_request"],
    ["400 key malformed", answer(400, "idempotency_key_invalid"), 1, "fix_request"],
    ["400 other", answer(400, "request_not_canonicalizable"), 1, "refused"],
    ["402", answer(402), 1, "refused"],
    ["404", answer(404), 1, "refused"],
  ])("%s is final", async (_, reply, sends, outcome) => {
    service.play(reply, done);
    const result = await service.client().send(service.operation());
    expect(result.outcome).toBe(outcome);
    expect(service.seen).toHaveLength(sends);
  });

  test.each<[string, Reply]>([
    ["a lost connection", breakOff],
    ["408", answer(408)],
    ["425", answer(425)],
    ["429", answer(429, "key_rate_limited")],
    ["500", answer(500)],
    ["502", answer(502)],
    ["503", answer(503)],
    ["504", answer(504)],
    ["409 in progress", answer(409, "request_in_progress")],
    ["409 pending", answer(409, "outcome_pending")],
  ])("%s is sent again under the same key, as another attempt", async (_, reply) => {
    service.play(reply, reply, done);
    const result = await service.client().send(service.operation());
    expect(result.outcome).toBe("done");
    expect(new Set(service.seen.map(({ key }) => key))).toEqual(new Set([result.key]));
    expect(new Set(service.seen.map(({ requestId }) => requestId)).size).toBe(3);
    expect(new Set(service.seen.map(({ trace }) => trace)).size).toBe(3);
    expect(
      service.seen.every(({ requestId, trace }) => requestId !== result.key && /^00-.{32}-.{16}-01$/.test(trace)),
    ).toBe(true);
  });

  test.each<[string, Reply]>([
    ["a lost connection", breakOff],
    ["500", answer(500)],
    ["503", answer(503)],
  ])("%s is not sent again where keys are not enforced", async (_, reply) => {
    service.play(reply, done);
    const result = service
      .client({ enforcesKeys: false })
      .send(service.operation())
      .then(
        ({ outcome }) => outcome,
        (error: OutcomeUnknownError) => error.reason,
      );
    expect(["keys_not_enforced", "refused"]).toContain(await result);
    expect(service.seen).toHaveLength(1);
  });

  test("401 is sent again once, with new credentials", async () => {
    service.play(answer(401), done);
    const headers = (refresh: boolean) => ({ Authorization: refresh ? "new" : "old" });
    expect(await service.client({ headers }).send(service.operation())).toMatchObject({ outcome: "done" });
    expect(service.seen.map(({ authorization }) => authorization)).toEqual(["old", "new"]);
    service.play(answer(403));
    const store = memoryStore();
    expect(await service.client({ headers, store }).send(service.operation())).toMatchObject({
      outcome: "credentials_refused",
    });
    expect(await store.load("order-1")).not.toBeNull();
  });

  test("another API's spelling of the codes", async () => {
    service.play(answer(409, "idempotency_error"), done);
    const readCode = (status: number) => (status === 409 ? "idempotency_key_reuse" : null);
    expect(await service.client({ readCode }).send(service.operation())).toMatchObject({ outcome: "key_reuse" });
  });
});
