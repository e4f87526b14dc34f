import "server-only";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as entry from "@/app/api/v1/audit/[chain]/[seq]/route";
import * as audit from "@/app/api/v1/audit/route";
import * as me from "@/app/api/v1/me/route";
import * as tenants from "@/app/api/v1/tenants/route";
import * as views from "@/app/api/v1/views/route";
import { DESK, type Desk, openDesk, send, sessionCookie, type TestOperator } from "../desk";

let desk: Desk;
let tenantA: string;
let tenantB: string;
let supportA: TestOperator;
let financeA: TestOperator;
let admin: TestOperator;
beforeAll(async () => {
  desk = await openDesk();
  tenantA = await desk.tenant("Acme");
  tenantB = await desk.tenant("Bolt");
  supportA = await desk.operator("support", [tenantA]);
  financeA = await desk.operator("finance", [tenantA]);
  admin = await desk.operator("admin");
});
afterAll(() => desk.close());

const view = () => ({ page: "keys", name: crypto.randomUUID(), query: "" });

describe("who asks", () => {
  test("nobody is 401, and a minute of nobodies is one audit entry", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(me.GET)));
    for (const { status, json } of answers) expect([status, json.code]).toEqual([401, "not_signed_in"]);
    const entries = await desk.entries("access.denied");
    expect(entries.filter(({ actor_kind }) => actor_kind === "anonymous")).toHaveLength(1);
  });

  test.each([
    ["another kind of token", "Basic abc"],
    ["an unknown token", `Bearer idt_${"A".repeat(43)}`],
    ["no token", "Bearer"],
  ])("%s is 401, even beside a good cookie", async (_, authorization) => {
    const { status } = await send(me.GET, {}, { cookie: admin.cookie, headers: { Authorization: authorization } });
    expect(status).toBe(401);
  });

  test("a session says who, with roles, tenants and rights", async () => {
    const { json } = await send(me.GET, {}, { cookie: supportA.cookie });
    expect(json).toMatchObject({ id: supportA.id, kind: "operator", tenants: [tenantA], hasPassword: false });
    expect(json.rights).toContain("keys.read");
    expect(json.rights).not.toContain("audit.read");
  });

  test.each([
    ["forged", async () => `${admin.cookie.slice(0, -4)}AAAA`],
    ["of an older session version", async () => sessionCookie(admin.id, { version: 0 })],
    ["past its idle time", async () => sessionCookie(admin.id, { maxAge: -60 })],
    [
      "past its longest time",
      async () => sessionCookie(admin.id, { signedInAt: Math.floor(Date.now() / 1000) - 13 * 3600 }),
    ],
    ["of nobody", async () => sessionCookie(crypto.randomUUID())],
  ])("a session %s is none", async (_, cookie) => {
    expect((await send(me.GET, {}, { cookie: await cookie() })).status).toBe(401);
  });

  test("deactivation, signing out everywhere and a lost grant hold from the next request", async () => {
    const operator = await desk.operator("support", [tenantA]);
    const ask = async () => (await send(tenants.GET, {}, { cookie: operator.cookie })).status;
    expect(await ask()).toBe(200);
    await desk.pool.query("UPDATE idemdesk.membership SET valid_until = now() WHERE operator_id = $1", [operator.id]);
    expect(await ask()).toBe(403);
    await desk.pool.query("UPDATE idemdesk.operator SET session_version = 2 WHERE id = $1", [operator.id]);
    expect(await ask()).toBe(401);
    const second = await desk.operator("support", [tenantA]);
    await desk.pool.query("UPDATE idemdesk.operator SET active = false WHERE id = $1", [second.id]);
    expect((await send(me.GET, {}, { cookie: second.cookie })).status).toBe(401);
    expect((await send(me.GET, {}, { token: second.token })).status).toBe(401);
  });

  test("a session in use is renewed, a young one is left alone", async () => {
    const young = await send(me.GET, {}, { cookie: supportA.cookie });
    expect(young.headers.has("Set-Cookie")).toBe(false);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 20 * 60_000 });
    const older = await sessionCookie(supportA.id, { maxAge: 3_600 });
    vi.useRealTimers();
    const renewed = (await send(me.GET, {}, { cookie: older })).headers.get("Set-Cookie") ?? "";
    expect(renewed).toMatch(/; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    const again = await send(me.GET, {}, { cookie: renewed.split(";")[0] ?? "" });
    expect([again.status, again.headers.has("Set-Cookie")]).toEqual([200, false]);
  });

  test("a token that expired or was revoked is none; one in use is marked as used", async () => {
    const token = await desk.service("support", [tenantA]);
    expect((await send(me.GET, {}, { token })).json).toMatchObject({ kind: "service", tenants: [tenantA] });
    const { rows } = await desk.pool.query("SELECT last_used_at FROM idemdesk.api_token WHERE role = 'support'");
    expect(rows[0].last_used_at).not.toBeNull();
    await desk.pool.query("UPDATE idemdesk.api_token SET revoked_at = now() WHERE role = 'support'");
    expect((await send(me.GET, {}, { token })).status).toBe(401);
  });
});

describe("where a change comes from", () => {
  test.each([
    ["a sibling host", "http://sibling.desk.test"],
    ["nowhere", null],
    ["an opaque page", "null"],
    ["a malformed origin", "http://["],
    ["another port", "http://desk.test:8080"],
    ["another scheme", "https://desk.test"],
    ["a lookalike", "http://desk.test.evil.example"],
  ])("%s is 403 and audited, also as a form's text", async (_, origin) => {
    const before = (await desk.entries("access.denied")).length;
    for (const type of ["application/json", "text/plain"]) {
      const headers = { "Content-Type": type };
      const answer = await send(views.POST, {}, { cookie: supportA.cookie, origin, body: view(), headers });
      expect([answer.status, answer.json.code]).toEqual([403, "origin_refused"]);
    }
    expect(await desk.entries("access.denied")).toHaveLength(before + 2);
  });

  test("the desk's own page may; a form's media type may not", async () => {
    const own = await send(views.POST, {}, { cookie: supportA.cookie, origin: DESK, body: view() });
    expect(own.status).toBe(201);
    const text = await send(
      views.POST,
      {},
      {
        cookie: supportA.cookie,
        origin: DESK,
        body: view(),
        headers: { "Content-Type": "text/plain" },
      },
    );
    expect(text.json.code).toBe("unsupported_media_type");
  });
});

describe("tenants apart", () => {
  test("a list holds the tenants in reach alone, and says so when none match", async () => {
    const names = async (who: TestOperator, query = "") =>
      (await send(tenants.GET, {}, { token: who.token, query })).json.items.map(({ name }: { name: string }) => name);
    expect(await names(supportA)).toEqual(["Acme"]);
    expect(await names(admin)).toEqual(["Acme", "Bolt"]);
    expect(await names(admin, "query=OL")).toEqual(["Bolt"]);
    expect(await names(admin, "query=%25")).toEqual([]);
    expect(await names(supportA, "query=Bolt")).toEqual([]);
  });

  test("another tenant's chain and one that does not exist are the same 404, and audited", async () => {
    const ask = async (chain: string) => {
      const { status, json } = await send(entry.GET, { chain, seq: "1" }, { token: financeA.token });
      const { requestId: _, ...rest } = json;
      return { status, rest };
    };
    const theirs = await ask(tenantB);
    expect(theirs.status).toBe(404);
    expect(await ask(crypto.randomUUID())).toEqual(theirs);
    expect(await ask("system")).toEqual(theirs);
    const denied = await desk.entries("access.denied");
    expect(denied.some(({ chain, json }) => chain === "system" && JSON.stringify(json).includes(tenantB))).toBe(true);
  });

  test("a missing right in one's own tenant is 403, kept in the tenant's chain", async () => {
    const refused = await send(audit.GET, {}, { token: supportA.token, query: `tenantId=${tenantA}` });
    expect(refused.json).toMatchObject({ status: 403, code: "forbidden" });
    const denied = (await desk.entries("access.denied")).filter(({ chain }) => chain === tenantA);
    expect(denied).toHaveLength(1);
    expect(denied[0]).toMatchObject({ actor_id: supportA.id, outcome: "denied", target_id: "GET /api/v1/audit" });
  });

  test.each([
    ["repeated", (a: string, b: string) => `tenantId=${a}&tenantId=${b}`],
    ["empty", () => "tenantId="],
    ["no id", () => "tenantId=1"],
    ["joined with another", (a: string, b: string) => `tenantId=${a},${b}`],
  ])("a tenant parameter that is %s is 400", async (_, query) => {
    const answer = await send(audit.GET, {}, { token: financeA.token, query: query(tenantA, tenantB) });
    expect([answer.status, answer.json.code]).toEqual([400, "validation_failed"]);
    expect(answer.json.errors[0].pointer).toBe("/query/tenantId");
  });

  test("the all-zero tenant is nobody's", async () => {
    const zero = "00000000-0000-0000-0000-000000000000";
    expect((await send(audit.GET, {}, { token: financeA.token, query: `tenantId=${zero}` })).status).toBe(404);
  });

  test("entering the scope of all tenants is audited once an hour", async () => {
    const all = await desk.operator("support");
    for (let times = 0; times < 3; times++) await send(tenants.GET, {}, { token: all.token });
    const entered = (await desk.entries("scope.all_tenants_entered")).filter(({ actor_id }) => actor_id === all.id);
    expect(entered).toHaveLength(1);
  });
});

describe("what is sent and answered", () => {
  test.each([
    ["unknown=1", "/query/unknown"],
    ["limit=0", "/query/limit"],
    ["limit=101", "/query/limit"],
    ["limit=1e1", "/query/limit"],
    ["query=", "/query/query"],
  ])("%s is 400 at %s", async (query, pointer) => {
    const { status, json } = await send(tenants.GET, {}, { token: admin.token, query });
    expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
  });

  test("a body that is too large, broken or not UTF-8 is refused without running", async () => {
    const post = (body: string) => send(views.POST, {}, { token: supportA.token, body });
    expect((await post(`{"name":"${"x".repeat(70_000)}"}`)).json.code).toBe("request_too_large");
    expect((await post("{")).json.code).toBe("malformed_request");
    expect((await post("[]")).json.code).toBe("validation_failed");
  });

  test("a sane request id is kept, another replaced; everything is private", async () => {
    const kept = await send(me.GET, {}, { token: admin.token, headers: { "X-Request-Id": "req-1.a:b_c" } });
    expect(kept.headers.get("X-Request-Id")).toBe("req-1.a:b_c");
    expect(kept.headers.get("Cache-Control")).toBe("private, no-store");
    const replaced = await send(me.GET, {}, { headers: { "X-Request-Id": "a b<script>" } });
    expect(replaced.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(replaced.headers.get("Cache-Control")).toBe("private, no-store");
    expect(replaced.headers.get("Content-Type")).toBe("application/problem+json");
    expect(replaced.json.requestId).toBe(replaced.headers.get("X-Request-Id"));
  });

  test("a cursor serves its own list and reader; changed or elsewhere it is 400", async () => {
    const first = await send(tenants.GET, {}, { token: admin.token, query: "limit=1" });
    const cursor = first.json.nextCursor;
    const next = (query: string, token = admin.token) => send(tenants.GET, {}, { token, query });
    expect((await next(`limit=1&cursor=${cursor}`)).json).toMatchObject({
      items: [{ name: "Bolt" }],
      nextCursor: null,
    });
    const refused = [
      await next(`limit=1&cursor=${cursor}&query=B`),
      await next(`cursor=${cursor.slice(0, -2)}AA`),
      await next("cursor=abc"),
      await next(`cursor=${cursor}`, financeA.token),
      await send(audit.GET, {}, { token: admin.token, query: `cursor=${cursor}` }),
    ];
    for (const { status, json } of refused) expect([status, json.code]).toEqual([400, "invalid_cursor"]);
  });
});
