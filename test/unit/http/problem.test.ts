import { describe, expect, test } from "vitest";
import { z } from "zod";
import { AppError, errorCodes } from "@/lib/http/errors";
import { parseInput, problemBody, toAppError } from "@/lib/http/problem";

/** As Prisma throws what PostgreSQL or its adapter reports. */
function prismaError(cause: Record<string, unknown>, code = "P2010") {
  return Object.assign(new Error("Raw query failed: secret"), { code, meta: { driverAdapterError: { cause } } });
}

describe("an error becomes", () => {
  test.each([
    ["a statement over its time", prismaError({ kind: "postgres", originalCode: "57014" }), "query_timeout", 503],
    ["a server shutting down", prismaError({ kind: "postgres", originalCode: "57P01" }), "database_unavailable", 503],
    ["no server", prismaError({ kind: "DatabaseNotReachable" }, "P1001"), "database_unavailable", 503],
    ["no free connection", Object.assign(new Error("x"), { code: "P2028", meta: {} }), "database_unavailable", 503],
    ["a pool that waited too long", new Error("timeout exceeded when trying to connect"), "database_unavailable", 503],
    ["a connection cut off", new Error("Connection terminated unexpectedly"), "database_unavailable", 503],
    ["a refused socket", Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "database_unavailable", 503],
    ["pg's own protocol failure", Object.assign(new Error("x"), { code: "08006" }), "database_unavailable", 503],
    ["a COMMIT that met another", Object.assign(new Error("x"), { cause: { originalCode: "40001" } }), "conflict", 409],
    ["a lock not free in time", prismaError({ kind: "postgres", originalCode: "55P03" }), "conflict", 409],
    ["a mistake in our SQL", prismaError({ kind: "postgres", originalCode: "42601" }), "internal", 500],
    ["anything else", new TypeError("secret"), "internal", 500],
    ["no error at all", "secret", "internal", 500],
  ])("%s", (_, thrown, code, status) => {
    const body = problemBody(toAppError(thrown), "r1");
    expect(body).toMatchObject({ code, status, requestId: "r1", type: `urn:idemdesk:problem:${code}` });
    expect(JSON.stringify(body)).not.toContain("secret");
  });
});

test("every code has a 4xx or 5xx status and a title, and only what may pass by itself is retryable", () => {
  for (const code of errorCodes) {
    const { status, title, retryable } = new AppError(code);
    expect([status >= 400 && status < 600, title.length > 0]).toEqual([true, true]);
    if (retryable) expect([409, 429, 503]).toContain(status);
  }
});

test("each wrong member has its JSON Pointer, escaped, also inside lists and unknown ones", () => {
  const shape = z.strictObject({ "a/b": z.int(), items: z.array(z.strictObject({ id: z.string() })) });
  const value = { "a/b": "x", items: [{ id: "1" }, { id: 2, "m~n": 1 }] };
  try {
    parseInput(shape, value, "body");
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const pointers = error instanceof AppError ? error.errors?.map(({ pointer }) => pointer) : [];
    expect(pointers).toEqual(["/body/a~1b", "/body/items/1/id", "/body/items/1/m~0n"]);
  }
});
