import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, type LayoutName } from "@/lib/idempotency";
import { post, read, type Service, startService } from "./service";

describe.each<LayoutName>(["plain", "daily"])("every answer, %s layout", (layout) => {
  let service: Service;
  let runs = 0;

  beforeAll(async () => {
    service = await startService(layout);
  });
  afterAll(() => service.close());

  function payments(hold: Promise<void> = Promise.resolve()) {
    const { db, sink } = service;
    return idempotent({ db, layout, sink, endpoint: "POST /v1/payments", mode: "separate" }, async () => {
      runs++;
      await hold;
      return Response.json({ id: runs }, { status: 201, headers: { Location: "/v1/payments/1", "Set-Cookie": "a=b" } });
    });
  }

  test("first request, then replay", async () => {
    const key = generateKey();
    const handle = payments();
    const first = await read(handle(post(key), service));
    const second = await read(handle(post(`"${key}"`), service));
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(second).toMatchObject({ status: 201, replayed: true, body: first.body });
    expect(second.headers.get("Location")).toBe("/v1/payments/1");
    expect(second.headers.get("Set-Cookie")).toBeNull();
    expect(second.headers.get("Idempotency-Key")).toBe(`"${key}"`);
    expect(service.events.slice(-3).map(({ kind }) => kind)).toEqual(["claimed", "completed", "replayed"]);
  });

  test("another body under the key", async () => {
    const key = generateKey();
    const handle = payments();
    await handle(post(key), service);
    const reuse = await read(handle(post(key, { amount: 1 }), service));
    expect(reuse).toMatchObject({ status: 422, code: "idempotency_key_reuse", body: { retryable: false } });
  });

  test("50 parallel first requests: one handler entry", async () => {
    const key = generateKey();
    let finish: () => void = () => undefined;
    const handle = payments(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    const before = runs;
    let refused = 0;
    const answers = Array.from({ length: 50 }, async () => {
      const { status } = await read(handle(post(key), service));
      if (status === 409 && ++refused === 49) finish();
      return status;
    });
    const statuses = await Promise.all(answers);
    expect(runs - before).toBe(1);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });

  test("another tenant is another operation", async () => {
    const key = generateKey();
    const handle = payments();
    await handle(post(key), service);
    const other = await read(handle(post(key), { tenant: randomUUID() }));
    expect(other).toMatchObject({ status: 201, replayed: false });
  });
});
