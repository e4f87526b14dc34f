import { expect, test } from "vitest";
import { progressOn } from "@/lib/server/progress";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (chunk: string | Uint8Array) => written.push(String(chunk)) > 0 };
}

test("a log has one line a step, with its seconds and without the notes", async () => {
  const stream = recorder(false);
  const answer = await progressOn(stream).step("Database", async (note) => {
    note("half");
    return 42;
  });
  expect(answer).toBe(42);
  expect(stream.written.join("")).toMatch(/^ {2}Database … \d+\.\d s\n$/);
});

test("a terminal sees each note in the place of the last", async () => {
  const stream = recorder(true);
  await progressOn(stream).step("History", async (note) => note("1000 of 2000"));
  expect(stream.written).toContain("\r\x1b[K  History … 1000 of 2000");
  expect(stream.written.at(-1)).toMatch(/History {2}\d+\.\d s\n$/);
});

test("a failing step ends its line and passes the failure on", async () => {
  const stream = recorder(false);
  await expect(progressOn(stream).step("Build", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(stream.written.join("")).toBe("  Build …\n");
});
