import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Abandoned,
  EffectRefused,
  generateKey,
  idempotent,
  type LayoutName,
  NotExecuted,
  OutcomeUnknown,
} from "@/lib/idempotency";
import { endpoint, post, type Service, send, startService } from "./service";

type Extra = Omit<Partial<Parameters<typeof idempotent>[0]>, "mode">;

describe.each<LayoutName>(["plain", "daily"])("external mode, %s layout", (layout) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(layout);
  });
  afterAll(() => service.close());

  function common(more: Extra = {}) {
    return { db: service.db, sink: service.sink, layout, endpoint, ...more };
  }

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
    await service.alter(key, "locked_until = clock_timestamp() - interval '1 second'");
    expect(await service.row(key)).toMatchObject({ state: "in_progress" });
  });
});
