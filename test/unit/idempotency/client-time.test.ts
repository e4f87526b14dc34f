import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore } from "@/lib/idempotency/client";
import { answer, done, type ScriptedService, startScripted } from "./scripted-service";

let service: ScriptedService;
beforeAll(async () => {
  service = await startScripted();
});
afterAll(() => service.close());

describe("time", () => {
  test.each<[string, Record<string, string>, number]>([
    ["seconds", { "Retry-After": "7" }, 7_000],
    [
      "a date, from the answer's own clock",
      { "Retry-After": "Tue, 01 Dec 2026 10:00:09 GMT", Date: "Tue, 01 Dec 2026 10:00:00 GMT" },
      9_000,
    ],
    ["a date in the past", { "Retry-After": "Tue, 01 Dec 2020 10:00:09 GMT" }, 0],
    ["negative", { "Retry-After": "-5" }, 0],
    ["not a number", { "Retry-After": "soon" }, 0],
    ["empty", { "Retry-After": "" }, 0],
  ])("Retry-After as %s", async (_, headers, waited) => {
    service.play(answer(503, undefined, headers), done);
    await service.client().send(service.operation());
    expect(service.waits).toEqual([waited]);
  });

  test("an absurd Retry-After ends the run instead of sleeping", async () => {
    service.play(answer(503, undefined, { "Retry-After": "99999999999999999999999" }));
    await expect(service.client().send(service.operation())).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(service.waits).toEqual([]);
  });

  test("full jitter, exponential, capped", async () => {
    service.play(answer(503));
    const paced = service.client({ random: () => 0.5, baseDelayMs: 100, maxDelayMs: 500, maxAttempts: 6 });
    await expect(paced.send(service.operation())).rejects.toMatchObject({ reason: "attempts_used_up" });
    expect(service.waits).toEqual([50, 100, 200, 250, 250]);
  });

  test("it stops by half the TTL, also after a restart", async () => {
    let now = 0;
    const store = memoryStore();
    const sleep = async (ms: number) => {
      now += ms;
    };
    const slow = { store, sleep, now: () => now, ttlMs: 10_000, maxTotalMs: 60_000, maxAttempts: 99 };
    service.play(answer(503, undefined, { "Retry-After": "2" }));
    await expect(service.client(slow).send(service.operation())).rejects.toMatchObject({ reason: "past_half_ttl" });
    expect(service.seen).toHaveLength(3);
    now = 5_000;
    await expect(service.client(slow).resume("order-1")).rejects.toMatchObject({
      reason: "past_half_ttl",
      attempts: [],
    });
    expect(service.seen).toHaveLength(3);
  });

  test("it stops by the total time", async () => {
    let now = 0;
    const sleep = async (ms: number) => {
      now += ms;
    };
    service.play(answer(503, undefined, { "Retry-After": "2" }));
    const bounded = service.client({ now: () => now, sleep, maxTotalMs: 5_000, maxAttempts: 99 });
    await expect(bounded.send(service.operation())).rejects.toMatchObject({ reason: "time_used_up" });
    expect(service.seen).toHaveLength(3);
  });

  test("a hanging attempt ends with its timeout and is sent again", async () => {
    service.play(() => undefined, done);
    const result = await service.client({ attemptTimeoutMs: 100 }).send(service.operation());
    expect(result.attempts.map(({ answer: got }) => got)).toMatchObject(["timeout", { status: 201 }]);
  });
});
