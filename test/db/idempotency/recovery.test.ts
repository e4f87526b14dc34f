import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Abandoned,
  createStore,
  type Finding,
  generateKey,
  idempotent,
  type LayoutName,
  type Mode,
  type Operation,
  type RecoveryProfile,
  recover,
  type Sql,
  settleUnknown,
} from "@/lib/idempotency";
import { endpoint, post, type Service, send, startService } from "./service";

describe.each<LayoutName>(["plain", "daily"])("recovery, %s layout", (layout) => {
  let service: Service;
  const store = createStore(layout);

  beforeAll(async () => {
    service = await startService(layout);
  });
  afterAll(() => service.close());

  const created = () => Response.json({ ok: true }, { status: 201 });

  function pay(sql: Sql, { tenant, key }: Operation) {
    return sql.query`INSERT INTO payment (tenant_id, endpoint, idem_key) VALUES (${tenant}::uuid, ${endpoint}, ${key})`;
  }

  const businessRecord: RecoveryProfile["businessRecord"] = async (tx, { tenant, key }) => {
    const found = await tx.query<{ id: string }>`
      SELECT id::text FROM payment WHERE tenant_id = ${tenant}::uuid AND endpoint = ${endpoint} AND idem_key = ${key}`;
    return found[0] ? Response.json({ id: found[0].id }, { status: 201 }) : null;
  };

  /** A handler that dies at a point of its run, and whose lease is then past. */
  async function crash(mode: Mode, at: "start" | "business" | "effect"): Promise<string> {
    const key = generateKey();
    const { db, sink } = service;
    const handle = idempotent({ db, sink, layout, endpoint, mode }, async (_, context) => {
      if (at === "business") await pay(db, context.operation);
      if (at === "effect" && "effect" in context) await context.effect("charge", 1_000, async () => "sent");
      throw new Abandoned(new Response(null, { status: 502 }));
    });
    await send(handle, post(key), service);
    await service.alter(key, "locked_until = clock_timestamp() - interval '1 second'");
    return key;
  }

  function recoverAll(profile: RecoveryProfile | undefined, more: { report?: (error: unknown) => void } = {}) {
    return recover({ db: service.db, sink: service.sink, store, profile: () => profile, ...more });
  }

  test("business write committed, row not completed: completed with the real result, for a full window", async () => {
    const key = await crash("separate", "business");
    const late = service.shifted("23 hours");
    const options = {
      db: late,
      sink: service.sink,
      store,
      profile: () => ({ mode: "separate", businessRecord }) as const,
    };
    expect(await recover(options)).toEqual({ completed: 1, failed: 0, unknown: 0 });
    expect(await service.row(key)).toMatchObject({ state: "completed", response_status: 201 });
    const { rows } = await service.pool.query(
      "SELECT expires_at - created_at > interval '46 hours' AS full FROM idempotency_keys WHERE idem_key = $1",
      [key],
    );
    expect(rows).toEqual([{ full: true }]);
    expect(service.kinds(key)).toEqual(["claimed", "lease_expired", "recovered"]);
    const handle = idempotent({ db: service.db, layout, endpoint, mode: "separate" }, () => expect.fail("ran again"));
    expect(await send(handle, post(key), service)).toMatchObject({ status: 201, replayed: true });
    if (layout === "daily") {
      const guard = await service.pool.query(
        "SELECT g.free_at = k.expires_at AS same FROM idempotency_guard g JOIN idempotency_keys k USING (idem_key) WHERE idem_key = $1",
        [key],
      );
      expect(guard.rows).toEqual([{ same: true }]);
    }
  });

  test.each<[string, Mode, "start" | "effect", RecoveryProfile | undefined, "failed" | "unknown"]>([
    ["atomic without a record", "atomic", "start", { mode: "atomic", businessRecord }, "failed"],
    ["separate without a record", "separate", "start", { mode: "separate", businessRecord }, "failed"],
    ["external before any effect", "external", "start", { mode: "external" }, "failed"],
    ["external after its effect began", "external", "effect", { mode: "external", businessRecord }, "unknown"],
    ["an effect row under a wrongly declared mode", "external", "effect", { mode: "atomic" }, "unknown"],
    ["an undeclared endpoint", "separate", "start", undefined, "unknown"],
    ["an endpoint of unknown mode", "separate", "start", { mode: "unknown" }, "unknown"],
  ])("%s: never run again", async (_, mode, at, profile, state) => {
    const key = await crash(mode, at);
    expect(await recoverAll(profile)).toMatchObject({ [state]: 1 });
    expect(await service.row(key)).toMatchObject({ state });
    const handle = idempotent({ db: service.db, layout, endpoint, mode }, () => expect.fail("ran again"));
    expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "outcome_pending" });
    const kind = state === "unknown" ? "marked_unknown" : "failed";
    expect(service.kinds(key).slice(-2)).toEqual(["lease_expired", kind]);
  });

  test("a living lease is left alone", async () => {
    const key = await crash("separate", "start");
    await service.alter(key, "locked_until = clock_timestamp() + interval '1 minute'");
    expect(await recoverAll({ mode: "separate" })).toEqual({ completed: 0, failed: 0, unknown: 0 });
    expect(await service.row(key)).toMatchObject({ state: "in_progress" });
    await service.alter(key, "state = 'failed'");
  });

  test("many recoverers resolve each row once", async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => crash("separate", "start")));
    const passes = await Promise.all(Array.from({ length: 8 }, () => recoverAll({ mode: "separate" })));
    expect(passes.reduce((sum, { failed }) => sum + failed, 0)).toBe(12);
    for (const key of keys) expect(service.kinds(key)).toEqual(["claimed", "lease_expired", "failed"]);
  });

  test("an effect being recorded keeps recovery away until it is seen", async () => {
    const key = await crash("external", "start");
    await service.alter(key, "locked_until = clock_timestamp() + interval '700 milliseconds'");
    const [claim] = await service.db.query<{ id: string; createdAt: string; lockedUntil: string }>`
      SELECT id::text, created_at::text AS "createdAt", locked_until::text AS "lockedUntil"
      FROM idempotency_keys WHERE idem_key = ${key}`;
    const operation = { tenant: service.tenant, endpoint, key };
    const recorded = await service.db.transaction(async (tx) => {
      if (!claim) return expect.fail("no claim");
      const at = await store.recordEffect(
        tx,
        { ...operation, ...claim },
        { step: "charge", downstreamKey: "d", timeoutMs: 10 },
      );
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(await recoverAll({ mode: "external" })).toEqual({ completed: 0, failed: 0, unknown: 0 });
      return at;
    });
    expect(recorded).not.toBeNull();
    expect(await recoverAll({ mode: "external" })).toMatchObject({ unknown: 1 });
  });

  test("a late owner finds the row resolved and changes nothing", async () => {
    const key = generateKey();
    const { db, sink } = service;
    const handle = idempotent({ db, sink, layout, endpoint, mode: "separate", leaseMs: 10 }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await recoverAll({ mode: "separate" })).toMatchObject({ failed: 1 });
      return created();
    });
    expect(await send(handle, post(key), service)).toMatchObject({ status: 409, code: "outcome_pending" });
    expect(await service.row(key)).toMatchObject({ state: "failed", response_status: null });
  });

  test("one row that cannot be resolved does not keep the others waiting", async () => {
    const [bad, good] = [await crash("separate", "start"), await crash("separate", "start")];
    const errors: unknown[] = [];
    const failing: RecoveryProfile = {
      mode: "separate",
      businessRecord: async (_, { key }) => (key === bad ? Promise.reject(new Error("look-up failed")) : null),
    };
    expect(await recoverAll(failing, { report: (error) => errors.push(error) })).toMatchObject({ failed: 1 });
    expect(errors).toHaveLength(1);
    expect(await service.row(bad)).toMatchObject({ state: "in_progress" });
    expect(await service.row(good)).toMatchObject({ state: "failed" });
    await service.alter(bad, "state = 'failed'");
  });

  describe("settling what is unknown", () => {
    async function settleAs(finding: Finding, settle = pay) {
      const key = await crash("external", "effect");
      await recoverAll({ mode: "external" });
      const settled = await settleUnknown({
        db: service.db,
        sink: service.sink,
        store,
        ask: async (operation) => (operation.key === key ? { finding, providerReference: "ch_9" } : null),
        settle: async (tx, operation) => {
          await settle(tx, operation);
          return created();
        },
      });
      return { key, settled };
    }

    test("a final answer completes the row and writes the business record with it", async () => {
      const { key, settled } = await settleAs("found_succeeded");
      expect(settled).toBe(1);
      expect(await service.row(key)).toMatchObject({ state: "completed", response_status: 201 });
      expect((await service.pool.query("SELECT FROM payment WHERE idem_key = $1", [key])).rowCount).toBe(1);
      expect(service.eventsOf(key).at(-1)).toMatchObject({ kind: "recovered", providerReference: "ch_9" });
    });

    test.each<Finding>(["found_pending", "not_found", "unparseable", "unreachable"])(
      "%s settles nothing",
      async (it) => {
        const { key, settled } = await settleAs(it);
        expect(settled).toBe(0);
        expect(await service.row(key)).toMatchObject({ state: "unknown" });
      },
    );

    test("a settlement that fails leaves the row unknown and no record", async () => {
      const { key, settled } = await settleAs("found_succeeded", async (tx, operation) => {
        await pay(tx, operation);
        throw new Error("no template");
      });
      expect(settled).toBe(0);
      expect(await service.row(key)).toMatchObject({ state: "unknown" });
      expect((await service.pool.query("SELECT FROM payment WHERE idem_key = $1", [key])).rowCount).toBe(0);
    });
  });
});
