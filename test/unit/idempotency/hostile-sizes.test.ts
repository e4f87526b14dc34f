import { expect, test } from "vitest";
import { fingerprint } from "@/lib/idempotency/fingerprint/fingerprint";
import { NotCanonicalizable } from "@/lib/idempotency/fingerprint/refusal";
import { readKey } from "@/lib/idempotency/key-syntax";

/** The most a request body may hold by default. */
const most = 1024 * 1024;
const filled = (before: string, fill: string, after: string) =>
  before + fill.repeat((most - before.length - after.length) / fill.length) + after;

const bodies: [name: string, contentType: string, body: string][] = [
  ["a number of zeros between two ones", "application/json", filled("1", "0", "1")],
  ["a fraction of zeros", "application/json", filled("0.", "0", "1")],
  ["a string of backslashes", "application/json", filled('"', "\\\\", '"')],
  ["a string that never ends", "application/json", filled('"', "a", "")],
  ["nothing but blanks", "application/json", filled("", " ", "x")],
  ["an array of empty objects", "application/json", filled("[{}", ",{}", "]")],
  ["brackets that never close", "application/json", filled("", "[", "")],
  ["a part header of blanks", "multipart/form-data; boundary=b", filled("--b\r\nA:", " ", "x\r\n\r\n\r\n--b--")],
  ["a part header without an end", "multipart/form-data; boundary=b", filled("--b\r\nA: ", "a ", "")],
  ["a delimiter line of blanks", "multipart/form-data; boundary=b", filled("--b", " ", "x\r\n\r\n--b--")],
  ["empty parts", "multipart/form-data; boundary=b", filled("--b\r\n\r\n", "\r\n--b\r\n\r\n", "\r\n--b--")],
  ["a form of ampersands", "application/x-www-form-urlencoded", filled("", "&", "")],
  ["a form of equals signs", "application/x-www-form-urlencoded", filled("", "=", "")],
  ["a form of percent signs", "application/x-www-form-urlencoded", filled("", "%", "")],
];

/** A body read in quadratic time takes minutes; this is many times what a straight reader needs on a busy machine. */
const withinMs = 20_000;

test.each(bodies)(
  "%s, a megabyte of it, is read or refused at once",
  (_, contentType, text) => {
    const input = { method: "POST", path: "/", query: "", tenant: "t", contentType, body: Buffer.from(text) };
    const started = performance.now();
    try {
      expect(fingerprint(input, { volatile: [], raw: false })).toHaveLength(32);
    } catch (error) {
      expect(error).toBeInstanceOf(NotCanonicalizable);
    }
    expect(performance.now() - started).toBeLessThan(withinMs);
  },
  60_000,
);

test.each([
  ["blanks between two letters", `a${" ".repeat(200_000)}b`],
  ["quotes and blanks", '" '.repeat(100_000)],
  ["semicolons and blanks", `a${"; ".repeat(100_000)}`],
  ["a quote and backslashes", `"${"\\".repeat(200_000)}`],
])(
  "a key of %s is refused at once",
  (_, value) => {
    const started = performance.now();
    expect(readKey(value).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(withinMs);
  },
  60_000,
);
