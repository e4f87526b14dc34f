import "server-only";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as audit from "@/app/api/v1/audit/route";
import * as tenants from "@/app/api/v1/tenants/route";
import * as view from "@/app/api/v1/views/[id]/route";
import * as views from "@/app/api/v1/views/route";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

let desk: Desk;
let admin: TestOperator;
beforeAll(async () => {
  desk = await openDesk();
  admin = await desk.operator("admin");
});
afterAll(() => desk.close());

describe("what PostgreSQL cannot hold is no error of ours", () => {
  test.each([
    ["tenants by a name with a NUL", tenants.GET, "query=a%00b"],
    ["tenants by half a character", tenants.GET, "query=%ED%A0%80"],
    ["entries of a strange actor", audit.GET, "actorId=%00"],
    ["entries about a strange target", audit.GET, "targetType=%00&targetId=a%00"],
    ["entries of the first year", audit.GET, "to=0001-01-02T00:00:00Z"],
    ["entries of a year to come, by a far offset", audit.GET, "from=9000-01-01T00:00:00%2B23:59"],
  ])("%s are none", async (_, route, query) => {
    const { status, json } = await send(route, {}, { token: admin.token, query });
    expect([status, json.items]).toEqual([200, []]);
  });

  test.each([
    ["from=0000-01-01T00:00:00Z", "/query/from"],
    ["to=9999-12-31T23:59:59-01:00", "/query/to"],
    ["from=2026-02-30T00:00:00Z", "/query/from"],
    ["from=yesterday", "/query/from"],
    ["actorId=", "/query/actorId"],
    ["__proto__=1", "/query/__proto__"],
  ])("%s is 400 at %s", async (query, pointer) => {
    const { status, json } = await send(audit.GET, {}, { token: admin.token, query });
    expect([status, json.code, json.errors[0].pointer]).toEqual([400, "validation_failed", pointer]);
  });

  test("a view's name and query keep a NUL as U+FFFD", async () => {
    const body = { page: "keys", name: "a\0b", query: "state=\0" };
    const saved = await send(views.POST, {}, { token: admin.token, body });
    expect(saved.json).toMatchObject({ name: "a\uFFFDb", query: "state=\uFFFD" });
    const renamed = await send(view.PATCH, { id: saved.json.id }, { token: admin.token, body: { name: "\0" } });
    expect(renamed.json).toMatchObject({ name: "\uFFFD" });
  });
});
