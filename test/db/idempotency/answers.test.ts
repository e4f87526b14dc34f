import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, type LayoutName, memoryRateLimit, pgDatabase } from "@/lib/idempotency";
import { endpoint, latch, post, type Service, send, startService } from "./service";

describe.each<LayoutName>(["plain", "daily"])("the table of answers, %s layout", (layout) => {
  let service: Service;
  let runs = 0;

  beforeAll(async () => {
    service = await startService(layout);
  });
  afterAll(() => service.close());

  function payments(more: Partial<Parameters<typeof idempotent<"separate">>[0]> = {}, hold = Promise.resolve()) {
    const { db, sink } = service;
    return idempotent({ db, layout, sink, endpoint, mode: "separate", ...more }, async () => {
      const headers = { Location: "/v1/payments/1", "Set-Cookie": "session=1", ETag: '"1"', "X-Other": "1" };
      runs++;
      await hold;
      return Response.json({ run: runs }, { status: 201, headers });
    });
  }

  test("first request, then a marked replay of its allow-listed parts", async () => {
    const key = generateKey();
    const handle = payments();
    const first = await send(handle, post(key), service);
    const second = await send(handle, post(`"${key}"`), service);
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(second).toMatchObject({ status: 201, replayed: true, body: first.body });
    expect([...second.headers.keys()]).toEqual([
      "content-type",
      "etag",
      "idempotency-key",
      "idempotent-replayed",
      "location",
    ]);
    expect(second.headers.get("Idempotency-Key")).toBe(`"${key}"`);
    expect(service.kinds(key)).toEqual(["claimed", "completed", "replayed"]);
  });

  test("a replay equals the request however its JSON is spelled", async () => {
    const key = generateKey();
    const handle = payments();
    await send(handle, post(key, { amount: 4200, currency: "EUR" }), service);
    expect(await send(handle, post(key, { currency: "EUR", amount: 4.2e3 }), service)).toMatchObject({
      replayed: true,
    });
  });

  test("another fingerprint in any state: 422, and nothing runs", async () => {
    const handle = payments();
    for (const state of ["completed", "in_progress", "failed", "unknown", "parked"]) {
      const key = generateKey();
      await send(handle, post(key), service);
      await service.alter(key, `state = '${state}'`);
      const before = runs;
      const answer = await send(handle, post(key, { amount: 1 }), service);
      expect(answer).toMatchObject({ status: 422, code: "idempotency_key_reuse", body: { retryable: false } });
      expect(runs).toBe(before);
    }
  });

  test("in progress: 409 with Retry-After 1, lease past or not", async () => {
    const key = generateKey();
    const handle = payments();
    await send(handle, post(key), service);
    for (const lease of ["+", "-"]) {
      await service.alter(key, `state = 'in_progress', locked_until = clock_timestamp() ${lease} interval '1 minute'`);
      const answer = await send(handle, post(key), service);
      expect(answer).toMatchObject({ status: 409, code: "request_in_progress", body: { retryable: true } });
      expect(answer.headers.get("Retry-After")).toBe("1");
    }
    expect(service.eventsOf(key).at(-1)).toMatchObject({ kind: "conflict", retryAfterMs: 1000, responseStatus: 409 });
  });

  test.each(["failed", "unknown", "parked"])("state %s, even past its expiry: 409 outcome_pending", async (state) => {
    const key = generateKey();
    const handle = payments();
    await send(handle, post(key), service);
    await service.alter(key, `state = '${state}', expires_at = clock_timestamp() - interval '1 day'`);
    const answer = await send(handle, post(key), service);
    expect(answer).toMatchObject({ status: 409, code: "outcome_pending", body: { retryable: true } });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(service.kinds(key).at(-1)).toBe("pending");
  });

  test("too many new keys: 429 before any row; replays are not limited", async () => {
    const handle = payments({ rateLimit: memoryRateLimit(1) });
    const [known, refused] = [generateKey(), generateKey()];
    await send(handle, post(known), service);
    const answer = await send(handle, post(refused), service);
    expect(answer).toMatchObject({ status: 429, code: "key_rate_limited" });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await service.row(refused)).toBeUndefined();
    expect(await send(handle, post(known), service)).toMatchObject({ status: 201, replayed: true });
  });

  test("store unreachable: 503, and the handler does not run", async () => {
    const before = runs;
    const gone = new Pool({ connectionString: "postgres://nobody@127.0.0.1:1/none", connectionTimeoutMillis: 500 });
    const answer = await send(payments({ db: pgDatabase(gone) }), post(generateKey()), service);
    expect(answer).toMatchObject({ status: 503, code: "idempotency_store_unavailable", body: { retryable: true } });
    expect(runs).toBe(before);
    await gone.end();
  });

  test("a fingerprint of a version we cannot compute: 503, never a guess", async () => {
    const key = generateKey();
    const handle = payments();
    await send(handle, post(key), service);
    await service.alter(key, "fingerprint = '\\x02'::bytea || fingerprint");
    expect(await send(handle, post(key), service)).toMatchObject({ status: 503 });
  });

  test("a duplicate that may wait gets the replay", async () => {
    const key = generateKey();
    const { opened, open } = latch();
    const handle = payments({ waitMs: 1000 }, opened);
    const first = send(handle, post(key), service);
    await expect.poll(() => service.row(key)).toMatchObject({ state: "in_progress" });
    const second = send(handle, post(key), service);
    setTimeout(open, 150);
    expect(await second).toMatchObject({ status: 201, replayed: true });
    expect(await first).toMatchObject({ status: 201, replayed: false });
  });

  test("a wait is bounded", async () => {
    const key = generateKey();
    const handle = payments({ waitMs: 200 });
    await send(handle, post(key), service);
    await service.alter(key, "state = 'in_progress'");
    const started = performance.now();
    expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "request_in_progress" });
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("the principal may be part of the fingerprint", async () => {
    const key = generateKey();
    const handle = payments({ bindPrincipal: true });
    const { tenant } = service;
    expect((await handle(post(key), { tenant })).status).toBe(401);
    expect((await handle(post(key), { tenant, principal: "one" })).status).toBe(201);
    expect((await handle(post(key), { tenant, principal: "two" })).status).toBe(422);
  });

  test("tenants and endpoints share no keys", async () => {
    const key = generateKey();
    await send(payments(), post(key), service);
    const other = await payments()(post(key), { tenant: "00000000-0000-4000-8000-000000000001" });
    expect(other.headers.get("Idempotent-Replayed")).toBeNull();
    const refund = await send(payments({ endpoint: "POST /v1/refunds" }), post(key), service);
    expect(refund).toMatchObject({ status: 201, replayed: false });
    expect((await payments()(post(key), { tenant: "" })).status).toBe(401);
  });

  test("a request id that is the key leaves no key in the events", async () => {
    const key = generateKey();
    await send(payments(), post(key, {}, { "X-Request-Id": key }), service);
    expect(JSON.stringify(service.eventsOf(key))).not.toContain(key);
    expect(service.eventsOf(key)[0]?.requestId).toBe(service.eventsOf(key)[0]?.keyHash);
  });
});

test("a guard whose key row cannot be seen: 503, and the handler does not run", async () => {
  const service = await startService("daily");
  const { db, tenant } = service;
  const key = generateKey();
  await service.pool.query("INSERT INTO idempotency_guard VALUES ($1, $2, $3, clock_timestamp(), NULL)", [
    tenant,
    endpoint,
    key,
  ]);
  const handle = idempotent({ db, layout: "daily", endpoint, mode: "separate" }, () => {
    throw new Error("must not run");
  });
  expect(await send(handle, post(key), service)).toMatchObject({ status: 503, code: "idempotency_store_unavailable" });
  await service.close();
});
