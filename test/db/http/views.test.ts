import "server-only";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as view from "@/app/api/v1/views/[id]/route";
import * as views from "@/app/api/v1/views/route";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

let desk: Desk;
let owner: TestOperator;
let other: TestOperator;
let tenant: string;
beforeAll(async () => {
  desk = await openDesk();
  tenant = await desk.tenant();
  owner = await desk.operator("support", [tenant]);
  other = await desk.operator("oncall", "*");
});
afterAll(() => desk.close());

const content = (name = randomUUID()) => ({ page: "keys", name, query: "state=unknown", shared: false });

async function save(body: object = content(), as = owner) {
  return send(views.POST, {}, { token: as.token, body });
}

describe("saving", () => {
  test("works, and leaves one audit entry of the same request", async () => {
    const saved = await save();
    expect(saved.status).toBe(201);
    const [entry] = (await desk.entries("view.saved")).filter(({ target_id }) => target_id === saved.json.id);
    expect(entry).toMatchObject({ chain: "system", actor_kind: "token", actor_id: owner.id, outcome: "done" });
    expect(entry?.json).toMatchObject({ details: { requestId: saved.headers.get("X-Request-Id") } });
  });

  test("the same key again is a replay, not a second view", async () => {
    const key = randomUUID();
    const body = content();
    const first = await send(views.POST, {}, { token: owner.token, body, key });
    const again = await send(views.POST, {}, { token: owner.token, body, key });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const { rows } = await desk.pool.query("SELECT FROM idemdesk.saved_view WHERE name = $1", [body.name]);
    expect(rows).toHaveLength(1);
    expect((await desk.entries("view.saved")).filter(({ target_id }) => target_id === first.json.id)).toHaveLength(1);
  });

  test("fifty at once under one key save one view, and whoever lost may ask again", async () => {
    const key = randomUUID();
    const body = content();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => send(views.POST, {}, { token: owner.token, body, key })),
    );
    expect(all.filter(({ status, headers }) => status === 201 && !headers.has("Idempotent-Replayed"))).toHaveLength(1);
    const lost = all.filter(({ status }) => status !== 201).map(({ json }) => json);
    expect(lost.filter(({ retryable }) => !retryable)).toEqual([]);
    const { rows } = await desk.pool.query("SELECT FROM idemdesk.saved_view WHERE name = $1", [body.name]);
    expect(rows).toHaveLength(1);
  });

  test("the key with another body is 422, without one 400", async () => {
    const key = randomUUID();
    await send(views.POST, {}, { token: owner.token, body: content(), key });
    const reuse = await send(views.POST, {}, { token: owner.token, body: content(), key });
    expect(reuse).toMatchObject({ status: 422, json: { code: "idempotency_key_reuse", retryable: false } });
    const missing = await send(views.POST, {}, { token: owner.token, body: content(), key: null });
    expect(missing).toMatchObject({ status: 400, json: { code: "idempotency_key_missing" } });
    expect(missing.json.requestId).toBe(missing.headers.get("X-Request-Id"));
  });

  test("the key belongs to its principal", async () => {
    const key = randomUUID();
    const first = await send(views.POST, {}, { token: owner.token, body: content(), key });
    const theirs = await send(views.POST, {}, { token: other.token, body: content(), key });
    expect([first.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.headers.has("Idempotent-Replayed")).toBe(false);
  });

  test("a name used already is 409, nothing is stored, and the key is free again", async () => {
    const key = randomUUID();
    const body = content();
    await save(body);
    const before = (await desk.entries("view.saved")).length;
    const twice = await send(views.POST, {}, { token: owner.token, body, key });
    expect(twice).toMatchObject({ status: 409, json: { code: "conflict" } });
    expect(await desk.entries("view.saved")).toHaveLength(before);
    const renamed = await send(views.POST, {}, { token: owner.token, body: content(), key });
    expect(renamed.status).toBe(201);
  });

  test("a service account has no views", async () => {
    const refused = await send(views.POST, {}, { token: await desk.service("support"), body: content() });
    expect(refused).toMatchObject({ status: 403, json: { code: "forbidden" } });
  });
});

describe("changing and deleting", () => {
  test("another's view is not found, even a shared one, exactly as one that does not exist", async () => {
    const { json } = await save({ ...content(), shared: true });
    const theirs = await send(view.PATCH, { id: json.id }, { token: other.token, body: { shared: false } });
    const missing = await send(view.PATCH, { id: randomUUID() }, { token: other.token, body: { shared: false } });
    const plain = ({ json: { requestId: _, ...rest } }: typeof theirs) => rest;
    expect(theirs.status).toBe(404);
    expect(plain(theirs)).toEqual(plain(missing));
  });

  test("two deletes at once: one wins, the other finds nothing", async () => {
    const { json } = await save();
    const both = await Promise.all([0, 1].map(() => send(view.DELETE, { id: json.id }, { token: owner.token })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await desk.entries("view.deleted")).filter(({ target_id }) => target_id === json.id)).toHaveLength(1);
  });

  test("an empty change and an unknown member are 400 with a pointer", async () => {
    const { json } = await save();
    const empty = await send(view.PATCH, { id: json.id }, { token: owner.token, body: {} });
    expect(empty.status).toBe(400);
    const unknown = await send(
      view.PATCH,
      { id: json.id },
      { token: owner.token, body: { shared: true, owner: other.id } },
    );
    expect(unknown.json).toMatchObject({ code: "validation_failed", errors: [{ pointer: "/body/owner" }] });
  });
});

describe("a list", () => {
  const seenBy = async (who: TestOperator) => {
    const { json } = await send(views.GET, {}, { token: who.token, query: "page=keys" });
    return json.items.map(({ name }: { name: string }) => name);
  };
  const share = async (as: TestOperator, query = "state=unknown") => {
    const shared = { ...content(), query, shared: true };
    await save(shared, as);
    return shared.name;
  };

  test("shows one's own views, and those shared among people of the same tenants", async () => {
    const colleague = await desk.operator("finance", [tenant]);
    const [mine, hidden] = [content(), content()];
    await save(mine);
    await save(hidden, colleague);
    const shared = await share(colleague);
    const names = await seenBy(owner);
    expect(names).toEqual(expect.arrayContaining([mine.name, shared]));
    expect(names).not.toContain(hidden.name);
    expect(await seenBy(other)).toContain(shared);
  });

  test("tells nobody of a tenant beyond their reach", async () => {
    const theirs = await desk.tenant();
    const [stranger, both] = [
      await desk.operator("support", [theirs]),
      await desk.operator("support", [tenant, theirs]),
    ];
    const gone = await desk.operator("support", [tenant]);
    const names = {
      stranger: await share(stranger, "reference=ORD-1"),
      strangerOfOurs: await share(stranger, `tenant=${tenant}`),
      both: await share(both),
      bothOfOurs: await share(both, `state=failed&tenant=${tenant.toUpperCase()}`),
      everybody: await share(other, "reference=ORD-2"),
      everybodyOfOurs: await share(other, `tenant=${tenant}&reference=ORD-3`),
      gone: await share(gone),
    };
    await desk.pool.query("UPDATE idemdesk.membership SET valid_until = now() WHERE operator_id = $1", [gone.id]);
    const seen = await seenBy(owner);
    const told = Object.entries(names).filter(([, name]) => seen.includes(name));
    expect(told.map(([whose]) => whose)).toEqual(["bothOfOurs", "everybodyOfOurs"]);
    expect(await seenBy(other)).toEqual(expect.arrayContaining(Object.values(names)));
  });
});
