import "server-only";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as search from "@/app/api/v1/keys/search/route";
import * as password from "@/app/api/v1/me/password/route";
import * as me from "@/app/api/v1/me/route";
import * as sessions from "@/app/api/v1/me/sessions/route";
import * as view from "@/app/api/v1/views/[id]/route";
import * as views from "@/app/api/v1/views/route";
import type { Route } from "@/lib/http/route";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

let desk: Desk;
let operator: TestOperator;
beforeAll(async () => {
  desk = await openDesk({ IDEMDESK_READ_ONLY: "1" });
  operator = await desk.operator("oncall", [await desk.tenant()]);
});
afterAll(() => desk.close());

test.each<[string, Route]>([
  ["saving", views.POST],
  ["changing", view.PATCH],
  ["deleting", view.DELETE],
  ["setting a password", password.PUT],
  ["signing out everywhere", sessions.DELETE],
])("%s is refused, by token and by session", async (_, route) => {
  const params = { id: crypto.randomUUID() };
  for (const who of [{ token: operator.token }, { cookie: operator.cookie }]) {
    const { status, json } = await send(route, params, { ...who, body: {} });
    expect([status, json.code]).toEqual([403, "read_only"]);
  }
});

test("reading and searching go on", async () => {
  expect((await send(me.GET, {}, { token: operator.token })).status).toBe(200);
  expect((await send(search.POST, {}, { token: operator.token, body: { keyHash: "0".repeat(64) } })).status).toBe(200);
});
