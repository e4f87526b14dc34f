import "server-only";
import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as me from "@/app/api/v1/me/route";
import { signInByLink } from "@/lib/access/sign-in";
import { DESK, type Desk, openDesk, send } from "../desk";

const TERMINAL_MS = 60_000;
const run = promisify(execFile);

let desk: Desk;
let tenant: string;
beforeAll(async () => {
  desk = await openDesk();
  tenant = await desk.tenant();
});
afterAll(() => desk.close());

/** Runs a command as `npm run -s` does, on this test's database, and answers what it printed. */
async function terminal(command: "operator" | "token", ...args: string[]) {
  const program = ["--conditions=react-server", "--import", "tsx", `lib/cli/${command}.ts`, ...args];
  try {
    const { stdout } = await run(process.execPath, program, { timeout: TERMINAL_MS });
    return { status: 0, stdout, stderr: "" };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, stdout, stderr };
  }
}

describe("operator", { timeout: TERMINAL_MS }, () => {
  test("create prints a link alone that signs in once; link prints another", async () => {
    const made = await terminal(
      "operator",
      "create",
      "--email",
      "Ann@desk.test",
      "--name",
      "Ann",
      "--role",
      "support",
      "--tenants",
      tenant,
    );
    const again = await terminal("operator", "link", "--email", "ann@desk.test");
    for (const { stdout } of [made, again]) {
      const [, secret = ""] = stdout.match(/^http:\/\/desk\.test\/sign-in\/link#([\w-]{43})\n$/) ?? [];
      expect(stdout.startsWith(DESK)).toBe(true);
      expect(await signInByLink(secret, { address: "192.0.2.1", requestId: "r" })).toMatchObject({ version: 1 });
    }
    const entries = await desk.entries("operator.created");
    expect(entries).toMatchObject([{ actor_kind: "terminal", actor_id: `os:${userInfo().username}`, chain: "system" }]);
    expect(await desk.entries("sign_in_link.created")).toHaveLength(2);
  });

  test.each([
    [
      "an auditor without an end",
      ["create", "--email", "a@x.test", "--name", "A", "--role", "auditor", "--tenants", "all"],
      "--until",
    ],
    [
      "a tenant nobody knows",
      ["create", "--email", "a@x.test", "--name", "A", "--role", "support", "--tenants", crypto.randomUUID()],
      "tenants",
    ],
    ["nobody's address", ["link", "--email", "nobody@x.test"], "no active operator"],
    ["no verb", [], "Usage"],
  ])("refuses %s in words, and makes nothing", async (_, args, word) => {
    const before = await desk.pool.query("SELECT FROM idemdesk.operator");
    const { status, stdout, stderr } = await terminal("operator", ...args);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(word);
    expect(stderr).not.toContain("    at ");
    expect((await desk.pool.query("SELECT FROM idemdesk.operator")).rowCount).toBe(before.rowCount);
  });
});

describe("token", { timeout: TERMINAL_MS }, () => {
  test("create prints a token alone that acts as its operator, or as a service account", async () => {
    const { id, email } = await desk.operator("oncall", [tenant]);
    const own = await terminal("token", "create", "--name", "own", "--operator", email);
    expect(own.stdout).toMatch(/^idt_[\w-]{43}\n$/);
    expect((await send(me.GET, {}, { token: own.stdout.trim() })).json).toMatchObject({ id, kind: "operator" });
    const service = await terminal("token", "create", "--name", "bot", "--role", "support", "--tenants", tenant);
    const { json } = await send(me.GET, {}, { token: service.stdout.trim() });
    expect(json).toMatchObject({ kind: "service", name: "bot", tenants: [tenant] });
    const { rows } = await desk.pool.query("SELECT t::text AS row FROM idemdesk.api_token AS t");
    expect(rows.some(({ row }) => row.includes(own.stdout.trim()))).toBe(false);
    expect(await desk.entries("token.created")).toHaveLength(2);
  });

  test("an ingest token writes events and does nothing else", async () => {
    const { stdout } = await terminal("token", "create", "--name", "in", "--role", "ingest", "--tenants", tenant);
    expect(await send(me.GET, {}, { token: stdout.trim() })).toMatchObject({
      status: 403,
      json: { code: "forbidden" },
    });
  });
});
