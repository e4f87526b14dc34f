import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, type LayoutName, type Sql } from "@/lib/idempotency";
import { endpoint, post, type Service, send, startService } from "./service";

type Extra = Omit<Partial<Parameters<typeof idempotent>[0]>, "mode">;

describe.each<LayoutName>(["plain", "daily"])("separate mode, %s layout", (layout) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(layout);
  });
  afterAll(() => service.close());

  function common(more: Extra = {}) {
    return { db: service.db, sink: service.sink, layout, endpoint, ...more };
  }

  /** The business write, under the key it was asked with. */
  function pay(sql: Sql, key: string) {
    return sql.query`INSERT INTO payment (tenant_id, endpoint, idem_key)
      VALUES (${service.tenant}::uuid, ${endpoint}, ${key})`;
  }

  async function payments(key: string): Promise<number> {
    const { rowCount } = await service.pool.query("SELECT FROM payment WHERE idem_key = $1", [key]);
    return rowCount ?? 0;
  }

  test("an unexpected error leaves the outcome unknown", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common(), mode: "separate" }, async () => {
      await pay(service.db, key);
      throw new Error("after the write");
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 502, code: "outcome_unknown" });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "outcome_pending" });
    expect(await payments(key)).toBe(1);
    expect(service.kinds(key)).toEqual(["claimed", "marked_unknown", "pending"]);
  });

  test("an error declared harmless frees the key", async () => {
    const key = generateKey();
    const releases = (error: unknown) => error instanceof RangeError;
    const handle = idempotent({ ...common({ releases }), mode: "separate" }, () => {
      throw new RangeError("before anything");
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 500 });
    expect(await service.row(key)).toBeUndefined();
  });

  test("a returned 500 is the deterministic answer and is replayed as such", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common(), mode: "separate" }, () => new Response("no", { status: 500 }));
    expect(await send(handle, post(key), service)).toMatchObject({ status: 500, replayed: false });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 500, replayed: true });
  });

  test("a lease moved by one microsecond is another's", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common(), mode: "separate" }, async () => {
      await service.alter(key, "locked_until = locked_until + interval '1 microsecond'");
      return new Response("late");
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "request_in_progress" });
    expect(await service.row(key)).toMatchObject({ state: "in_progress" });
  });

  test("an owner whose lease is past may still finish while nobody took the row", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common({ leaseMs: 20 }), mode: "separate" }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return new Response("slow");
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 200, body: "slow" });
    expect(await service.row(key)).toMatchObject({ state: "completed" });
  });
});
