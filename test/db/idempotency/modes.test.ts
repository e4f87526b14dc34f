import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Abandoned,
  EffectRefused,
  generateKey,
  idempotent,
  type LateResult,
  type LayoutName,
  NotExecuted,
  OutcomeUnknown,
  type Sql,
} from "@/lib/idempotency";
import { endpoint, post, type Service, send, startService } from "./service";

type Extra = Omit<Partial<Parameters<typeof idempotent>[0]>, "mode">;

describe.each<LayoutName>(["plain", "daily"])("modes, %s layout", (layout) => {
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

  async function lapseLease(key: string) {
    await service.alter(key, "locked_until = clock_timestamp() - interval '1 second'");
  }

  describe("atomic", () => {
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

  describe("separate", () => {
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

  describe("external", () => {
    const effects = async (key: string) =>
      (await service.pool.query("SELECT step, downstream_key FROM idempotency_effect WHERE idem_key = $1", [key])).rows;

    test("the effect row is committed before the call, with the key the provider gets", async () => {
      const key = generateKey();
      const seen: unknown[] = [];
      const handle = idempotent({ ...common(), mode: "external" }, async (_, context) => {
        const charge = await context.effect("charge", 5_000, async (_signal, downstreamKey) => {
          seen.push(...(await effects(key)), downstreamKey);
          return "ch_1";
        });
        context.describe({ providerReference: charge });
        return Response.json({ charge }, { status: 201 });
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 201 });
      expect(seen).toEqual([{ step: "charge", downstream_key: seen[1] }, seen[1]]);
      expect(seen[1]).not.toContain(key);
      expect(service.kinds(key)).toEqual(["claimed", "effect_started", "completed"]);
      expect(service.eventsOf(key).at(-1)).toMatchObject({ providerReference: "ch_1" });
    });

    test.each([
      [
        "a call that fails",
        () => {
          throw new Error("connection lost");
        },
      ],
      [
        "a refusal that came too late",
        () => {
          throw new NotExecuted(new Response());
        },
      ],
      ["a gateway's 502", () => new Response(null, { status: 502 })],
      [
        "a handler that cannot know",
        () => {
          throw new OutcomeUnknown();
        },
      ],
    ])("%s after the effect began: unknown", async (_, end: () => Response) => {
      const key = generateKey();
      const handle = idempotent({ ...common(), mode: "external" }, async (_request, { effect }) => {
        await effect("charge", 5_000, async () => "sent");
        return end();
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 502, code: "outcome_unknown" });
      expect(await service.row(key)).toMatchObject({ state: "unknown" });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "outcome_pending" });
    });

    test("a failure before any effect frees the key", async () => {
      const key = generateKey();
      const handle = idempotent({ ...common(), mode: "external" }, () => {
        throw new Error("before the call");
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 500 });
      expect(await service.row(key)).toBeUndefined();
    });

    test("a call that outlives its timeout is aborted and its outcome unknown", async () => {
      const key = generateKey();
      let aborted = false;
      const handle = idempotent({ ...common(), mode: "external" }, async (_, { effect }) => {
        await effect("charge", 100, (signal) => {
          signal.addEventListener("abort", () => {
            aborted = true;
          });
          return new Promise(() => undefined);
        });
        return new Response();
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 502, code: "outcome_unknown" });
      expect(aborted).toBe(true);
    });

    test.each([
      ["the lease would end first", (key: string) => service.alter(key, "locked_until = clock_timestamp()"), 409],
      ["the claim was lost", (key: string) => service.alter(key, "state = 'unknown'"), 409],
    ])("no call is made when %s", async (_, lose, status) => {
      const key = generateKey();
      let called = false;
      let refused: unknown;
      const handle = idempotent({ ...common(), mode: "external" }, async (_request, { effect }) => {
        await lose(key);
        await effect("charge", 5_000, async () => {
          called = true;
        }).catch((error) => {
          refused = error;
          throw error;
        });
        return new Response();
      });
      expect((await send(handle, post(key), service)).status).toBe(status);
      expect(refused).toBeInstanceOf(EffectRefused);
      expect(called).toBe(false);
      expect(await effects(key)).toEqual([]);
    });

    test("a call longer than the lease is refused before it is made", async () => {
      const key = generateKey();
      const handle = idempotent({ ...common({ leaseMs: 1_000 }), mode: "external" }, async (_, { effect }) => {
        await effect("charge", 5_000, async () => expect.fail("called"));
        return new Response();
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 500 });
      expect(await service.row(key)).toBeUndefined();
    });

    test("a step runs once", async () => {
      const key = generateKey();
      let calls = 0;
      const handle = idempotent({ ...common(), mode: "external" }, async (_, { effect }) => {
        await effect("charge", 5_000, async () => ++calls);
        await effect("charge", 5_000, async () => ++calls);
        return new Response();
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 502 });
      expect(calls).toBe(1);
    });

    test("an abandoned handler leaves its row to recovery", async () => {
      const key = generateKey();
      const handle = idempotent({ ...common(), mode: "external" }, () => {
        throw new Abandoned(new Response(null, { status: 502 }));
      });
      expect(await send(handle, post(key), service)).toMatchObject({ status: 502 });
      await lapseLease(key);
      expect(await service.row(key)).toMatchObject({ state: "in_progress" });
    });
  });
});
