import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, type LateResult, type LayoutName, NotExecuted, type Sql } from "@/lib/idempotency";
import { endpoint, post, type Service, send, startService } from "./service";

type Extra = Omit<Partial<Parameters<typeof idempotent>[0]>, "mode">;

describe.each<LayoutName>(["plain", "daily"])("atomic mode, %s layout", (layout) => {
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

  const created = () => Response.json({ ok: true }, { status: 201 });

  test("business write and answer commit together", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common(), mode: "atomic" }, async (_, { tx }) => {
      await pay(tx, key);
      return created();
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 201 });
    expect(await payments(key)).toBe(1);
    expect(await service.row(key)).toMatchObject({ state: "completed", response_status: 201 });
  });

  test.each([
    [
      "an error",
      () => {
        throw new Error("broken");
      },
      500,
    ],
    ["a returned 503", () => new Response(null, { status: 503 }), 503],
    ["a returned 401", () => new Response(null, { status: 401 }), 401],
    [
      "a declared refusal",
      () => {
        throw new NotExecuted(new Response(null, { status: 404 }));
      },
      404,
    ],
  ])("%s rolls back and frees the key", async (_, end: () => Response, status) => {
    const key = generateKey();
    let fail = true;
    const handle = idempotent({ ...common(), mode: "atomic" }, async (_request, { tx }) => {
      await pay(tx, key);
      return fail ? end() : created();
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status });
    expect(await payments(key)).toBe(0);
    expect(await service.row(key)).toBeUndefined();
    fail = false;
    expect(await send(handle, post(key), service)).toMatchObject({ status: 201, replayed: false });
    expect(await payments(key)).toBe(1);
    expect(service.kinds(key)).toEqual(["claimed", "released", "claimed", "completed"]);
  });

  test("a statement that failed inside is a rollback even if the handler swallowed it", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common(), mode: "atomic" }, async (_, { tx }) => {
      await tx.query`SELECT 1 / 0`.catch(() => undefined);
      return created();
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 500 });
    expect(await service.row(key)).toBeUndefined();
  });

  test("a deterministic refusal is stored and replayed", async () => {
    const key = generateKey();
    const handle = idempotent({ ...common(), mode: "atomic" }, () => Response.json({}, { status: 402 }));
    expect(await send(handle, post(key), service)).toMatchObject({ status: 402, replayed: false });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 402, replayed: true });
  });

  test("a late finisher's business write is rolled back, and its result kept as evidence", async () => {
    const key = generateKey();
    const late: LateResult[] = [];
    const onLateResult = (result: LateResult) => void late.push(result);
    const handle = idempotent({ ...common({ onLateResult }), mode: "atomic" }, async (_, { tx }) => {
      await pay(tx, key);
      await service.alter(key, "state = 'failed'");
      return created();
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "outcome_pending" });
    expect(await payments(key)).toBe(0);
    expect(late).toMatchObject([{ claim: { key }, response: { status: 201 } }]);
    expect(await service.row(key)).toMatchObject({ state: "failed", response_status: null });
  });
});
