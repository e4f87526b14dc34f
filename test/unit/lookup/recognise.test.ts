import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recognise } from "@/lib/lookup/rules/recognise";

const ways = (text: string) => recognise(text).map(({ as }) => as);
const value = (text: string, as: string) => recognise(text).find((reading) => reading.as === as)?.value;
const named = ["requestId", "providerReference", "reference", "customer"];

describe("every reading a text allows", () => {
  test.each([
    ["64 hex digits", "ab".repeat(32), ["keyHash", "fingerprint", "key", ...named]],
    ["a fingerprint with its version", `02${"ab".repeat(32)}`, ["fingerprint", "key", ...named]],
    ["8 hex digits", "deadbeef", ["keyHashPrefix", "key", ...named]],
    ["7 hex digits", "deadbee", ["key", ...named]],
    ["a trace id", "4bf92f3577b34da6a3ce929d0e0e4736", ["keyHashPrefix", "traceId", "key", ...named]],
    ["a traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", ["traceId", "key", ...named]],
    ["a row id", "9007199254740993", ["keyHashPrefix", "id", "key", ...named]],
    ["words", "Anna Li", ["key", "reference", "customer"]],
    ["blank", " \n", []],
  ])("%s", (_, text, readings) => {
    expect(ways(text)).toEqual(readings);
  });

  test("upper-case hashes are the same hash", () => {
    expect(value("AB".repeat(32), "keyHash")).toBe("ab".repeat(32));
  });

  test("a traceparent gives its trace id, and no trace is none", () => {
    expect(value("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "traceId")).toBe(
      "4bf92f3577b34da6a3ce929d0e0e4736",
    );
    expect(ways("0".repeat(32))).not.toContain("traceId");
  });

  test("an id past 64 bits is none", () => {
    expect(ways("9223372036854775807")).toContain("id");
    expect(ways("9223372036854775808")).not.toContain("id");
  });
});

describe("a key, as its header spells it", () => {
  test.each([
    ["bare", "pay_1-A", "pay_1-A"],
    ["quoted", '"pay_1-A"', "pay_1-A"],
    ["with the header's name", "Idempotency-Key: pay_1-A", "pay_1-A"],
    ["no key by our rules, as it is", "pay 1", "pay 1"],
    ["its spaces kept where it is no key by our rules", "pay 1 ", "pay 1 "],
    ["look-alikes stay apart", "pаy", "pаy"],
  ])("%s", (_, text, key) => {
    expect(value(text, "key")).toBe(key);
  });
});

test("never throws, never repeats a reading, and a valid key is always read as itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
      const readings = recognise(text).map(({ as }) => as);
      expect(new Set(readings).size).toBe(readings.length);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,255}$/), (key) => {
      expect(value(key, "key")).toBe(key);
      expect(value(`"${key}"`, "key")).toBe(key);
    }),
  );
});
