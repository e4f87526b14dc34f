import { describe, expect, test } from "vitest";
import { readEnv } from "@/lib/env";

const SECRET = "hunter2-hunter2";
const key = Buffer.alloc(32, 7).toString("base64");

test("every variable has a default or may be unset", () => {
  expect(readEnv({})).toEqual({
    PORT: 3000,
    HOST: "127.0.0.1",
    IDEMDESK_DATA_DIR: ".data",
    IDEMDESK_DIST_DIR: ".next",
    IDEMDESK_READ_ONLY: false,
    IDEMDESK_LOG_LEVEL: "info",
    IDEMDESK_LIMITS: {},
    IDEMDESK_BODY_KEYS: [],
  });
});

test("an empty variable counts as unset", () => {
  expect(readEnv({ DATABASE_URL: "", PORT: "" })).toMatchObject({ PORT: 3000 });
  expect(readEnv({ DATABASE_URL: "" }).DATABASE_URL).toBeUndefined();
});

test("the key ring keeps its order: the first key encrypts", () => {
  const ring = readEnv({ IDEMDESK_BODY_KEYS: `new:${key}, old:${key}` }).IDEMDESK_BODY_KEYS;
  expect(ring.map(({ id }) => id)).toEqual(["new", "old"]);
  expect(ring[0]?.key).toHaveLength(32);
});

describe("good values", () => {
  test.each([
    ["PORT", "8080", 8080],
    ["HOST", "::1", "::1"],
    ["IDEMDESK_READ_ONLY", "1", true],
    ["IDEMDESK_READ_ONLY", "false", false],
    ["DATABASE_URL", "postgres://u:p%40@h:5432/d?sslmode=require", "postgres://u:p%40@h:5432/d?sslmode=require"],
    ["NEXTAUTH_URL", "https://desk.example.com", "https://desk.example.com"],
  ] as const)("%s=%s", (name, text, value) => {
    expect(readEnv({ [name]: text })[name]).toBe(value);
  });
});

describe("bad values are named and never shown", () => {
  test.each([
    ["PORT", SECRET],
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "80.5"],
    ["HOST", "a b"],
    ["IDEMDESK_READ_ONLY", SECRET],
    ["IDEMDESK_ENVIRONMENT", SECRET.repeat(3)],
    ["DATABASE_URL", `mysql://root:${SECRET}@db/x`],
    ["DATABASE_URL", SECRET],
    ["IDEMDESK_OWNER_DATABASE_URL", `http://${SECRET}`],
    ["IDEMDESK_BODY_KEYS", `k1:${SECRET}`],
    ["IDEMDESK_BODY_KEYS", `k1:${key},k1:${key}`],
    ["IDEMDESK_BODY_KEYS", `:${key}`],
    ["NEXTAUTH_URL", `ftp://${SECRET}`],
    ["NEXTAUTH_SECRET", SECRET],
  ])("%s=%s", (name, value) => {
    const failure = messageOf({ [name]: value });
    expect(failure).toMatch(new RegExp(`^${name} must be `));
    expect(failure).not.toContain(SECRET);
    expect(failure).not.toContain(key);
  });

  test("all at once, a line each", () => {
    expect(messageOf({ PORT: "x", NEXTAUTH_SECRET: "short" }).split("\n")).toHaveLength(2);
  });
});

function messageOf(source: Record<string, string>): string {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("it was accepted");
}
