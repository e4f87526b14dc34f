import { expect, test } from "vitest";
import { describeError } from "@/lib/http/logger";

test("an error of the database is logged by its state, never by its words", () => {
  const error = Object.assign(new Error('invalid input syntax: "raw-key-4711"'), { code: "22P02" });
  error.stack = `Error: ${error.message}\nmore raw-key-4711\n    at here (file.ts:1:1)`;
  expect(describeError(error)).toEqual({ name: "Error", sqlState: "22P02", frames: ["    at here (file.ts:1:1)"] });
});

test("what Prisma says of a wrong call holds its arguments, and is not logged", () => {
  const error = new Error("Invalid `create()` invocation: { idemKey: 'raw-key-4711' }");
  error.name = "PrismaClientValidationError";
  expect(JSON.stringify(describeError(error))).not.toContain("4711");
});

test("our own words are logged", () => {
  expect(describeError(new TypeError("x is not a function"))).toMatchObject({ message: "x is not a function" });
  expect(describeError("thrown text 4711")).toEqual({ message: "string" });
});
