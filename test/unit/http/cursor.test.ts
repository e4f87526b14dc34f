import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { mintScope } from "@/lib/db/scope";
import { makeCursor, readCursor } from "@/lib/http/cursor";

beforeAll(() => {
  process.env.NEXTAUTH_SECRET = "a secret for tests, long enough to be one";
});

const A = "00000000-0000-4000-8000-00000000000a";
const scope = mintScope([A], "p1");
const filter = { list: "keys", endpoint: "POST /v1/payments", from: undefined };
const Position = z.object({ at: z.string(), id: z.string() });
const position = { at: "2026-12-01T00:00:00.123456Z", id: "9007199254740993" };

test("a cursor brings its place back to the digit, whatever the order of the filter's members", async () => {
  const cursor = await makeCursor({ scope, filter }, position);
  expect(await readCursor({ scope, filter }, cursor, Position)).toEqual(position);
  const reordered = { endpoint: filter.endpoint, list: "keys" };
  expect(await readCursor({ scope, filter: reordered }, cursor, Position)).toEqual(position);
});

test("a cursor serves its reader whatever the order in which their tenants are read", async () => {
  const B = A.replace("a", "b");
  const cursor = await makeCursor({ scope: mintScope([A, B], "p1"), filter }, position);
  expect(await readCursor({ scope: mintScope([B, A], "p1"), filter }, cursor, Position)).toEqual(position);
});

describe("a cursor is refused", () => {
  const refused = { code: "invalid_cursor", status: 400 };

  test.each([
    ["with another filter", { scope, filter: { ...filter, endpoint: "POST /v1/refunds" } }],
    ["in another list", { scope, filter: { ...filter, list: "audit" } }],
    ["for another reader", { scope: mintScope([A], "p2"), filter }],
    ["under another scope", { scope: mintScope("*", "p1"), filter }],
  ])("%s", async (_, binding) => {
    const cursor = await makeCursor({ scope, filter }, position);
    await expect(readCursor(binding, cursor, Position)).rejects.toMatchObject(refused);
  });

  test("of another shape", async () => {
    const cursor = await makeCursor({ scope, filter }, { at: 1 });
    await expect(readCursor({ scope, filter }, cursor, Position)).rejects.toMatchObject(refused);
  });

  test("with any character changed, without a signature, or signed by another key", async () => {
    const cursor = await makeCursor({ scope, filter }, position);
    const [header, payload] = cursor.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const foreign = await new SignJWT({ at: position })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode("a secret for tests, long enough to be one"));
    const flipped = Array.from({ length: cursor.length }, (_, at) => {
      const character = cursor[at] === "A" ? "B" : "A";
      return cursor.slice(0, at) + character + cursor.slice(at + 1);
    });
    const others = ["", "x", "..", `${header}.${payload}.`, `${none}.${payload}.`, foreign];
    // The last character of a signature carries two unused bits: changing those alone changes no byte of it.
    for (const bad of [...flipped.slice(0, -1), ...others]) {
      await expect(readCursor({ scope, filter }, bad, Position), bad).rejects.toMatchObject(refused);
    }
  });
});
