import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, generateKey, type IdempotentHandler, idempotent, type LayoutName } from "@/lib/idempotency";
import { endpoint, latch, post, type Service, send, startService } from "./service";

describe.each<LayoutName>(["plain", "daily"])("races, %s layout", (layout) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(layout);
  });
  afterAll(() => service.close());

  /** A handler that counts its entries and returns when told to. */
  function counted(hold: Promise<void> = Promise.resolve()) {
    const entries: string[] = [];
    const on = (db: Database): IdempotentHandler =>
      idempotent({ db, layout, sink: service.sink, endpoint, mode: "separate" }, async (_, context) => {
        entries.push(context.claim.id);
        await hold;
        return Response.json({ entry: entries.length }, { status: 201 });
      });
    return { entries, on };
  }

  /** Sends 50 at once and lets the winner finish only when all others have their answer. */
  async function fiftyAtOnce(key: string, handles: (hold: Promise<void>) => IdempotentHandler[]) {
    const { opened, open } = latch();
    const servers = handles(opened);
    let losers = 0;
    const answers = Array.from({ length: 50 }, async (_, index) => {
      const handle = servers[index % servers.length] ?? expect.fail("no server");
      const { status } = await send(handle, post(key), service);
      if (++losers === 49) open();
      return status;
    });
    const statuses = await Promise.all(answers);
    return { created: statuses.filter((it) => it === 201).length, refused: statuses.filter((it) => it === 409).length };
  }

  test("50 parallel first requests: one handler entry", async () => {
    const key = generateKey();
    let entries: string[] = [];
    const answers = await fiftyAtOnce(key, (hold) => {
      const handler = counted(hold);
      entries = handler.entries;
      return [handler.on(service.db)];
    });
    expect(entries).toHaveLength(1);
    expect(answers).toEqual({ created: 1, refused: 49 });
  });

  test("50 parallel first requests on both sides of midnight: one handler entry", async () => {
    const key = generateKey();
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    const [before, after] = [-1_000, 60_000].map((ms) => service.shifted(`${midnight + ms - Date.now()} ms`));
    let entries: string[] = [];
    const answers = await fiftyAtOnce(key, (hold) => {
      const handler = counted(hold);
      entries = handler.entries;
      return [before, after].map((db) => handler.on(db ?? expect.fail("no clock")));
    });
    expect(entries).toHaveLength(1);
    expect(answers).toEqual({ created: 1, refused: 49 });
  });

  test("after midnight, a key claimed before it is still held", async () => {
    const key = generateKey();
    const handler = counted();
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    const yesterday = service.shifted(`${midnight - 1_000 - Date.now()} ms`);
    const today = service.shifted(`${midnight + 60_000 - Date.now()} ms`);
    await send(handler.on(yesterday), post(key), service);
    expect(await send(handler.on(today), post(key), service)).toMatchObject({ status: 201, replayed: true });
    expect(handler.entries).toHaveLength(1);
  });

  test("50 concurrent re-users of a lapsed key: exactly one run, under a new id", async () => {
    const key = generateKey();
    const first = counted();
    await send(first.on(service.db), post(key), service);
    await service.alter(key, "expires_at = clock_timestamp() - interval '1 second'");
    let entries: string[] = [];
    const answers = await fiftyAtOnce(key, (hold) => {
      const handler = counted(hold);
      entries = handler.entries;
      return [handler.on(service.db)];
    });
    expect(entries).toHaveLength(1);
    expect(entries[0]).not.toBe(first.entries[0]);
    expect(answers).toEqual({ created: 1, refused: 49 });
    expect(service.kinds(key).filter((kind) => kind === "expired_reuse")).toHaveLength(1);
  });

  test("a lapsed key answers the same before and after cleanup", async () => {
    const handler = counted();
    for (const cleaned of [false, true]) {
      const key = generateKey();
      await send(handler.on(service.db), post(key), service);
      await service.alter(key, "expires_at = clock_timestamp() - interval '1 second'");
      if (cleaned) await service.pool.query("DELETE FROM idempotency_keys WHERE idem_key = $1", [key]);
      expect(await send(handler.on(service.db), post(key, { amount: 9 }), service)).toMatchObject({
        status: 201,
        replayed: false,
      });
    }
  });

  test("the clock that judges is the database's: an app ten minutes off changes nothing", async () => {
    const key = generateKey();
    const { opened, open } = latch();
    const handler = counted(opened);
    const first = send(handler.on(service.db), post(key), service);
    await expect.poll(() => service.row(key)).toMatchObject({ state: "in_progress" });
    const realNow = Date.now;
    Date.now = () => realNow() + 600_000;
    try {
      expect(await send(handler.on(service.db), post(key), service)).toMatchObject({ code: "request_in_progress" });
    } finally {
      Date.now = realNow;
    }
    open();
    await first;
    expect((await service.row(key))?.lease_left).toBeLessThanOrEqual(60);
    expect((await service.row(key))?.lease_left).toBeGreaterThan(50);
  });
});
