import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeUnseen, maskKey } from "@/lib/lookup/rules/display";
import { weaknessOf } from "@/lib/lookup/rules/weakness";

test.each([
  ["bidirectional override", "pay\u202e321", "pay\\u{202e}321"],
  ["zero-width space", "a\u200bb", "a\\u{200b}b"],
  ["control", "a\u0007b\n", "a\\u{7}b\\u{a}"],
  ["tag character", "a\u{e0041}", "a\\u{e0041}"],
  ["braille blank", "a\u2800b", "a\\u{2800}b"],
  ["combining grapheme joiner", "a\u034fb", "a\\u{34f}b"],
  ["no-break space", "a\u00a0b", "a\\u{a0}b"],
  ["plain text", "pay_1 é 付款", "pay_1 é 付款"],
])("%s", (_, text, shown) => {
  expect(escapeUnseen(text)).toBe(shown);
});

test("look-alike keys look different", () => {
  expect(maskKey("paypal-0001-0001")).not.toBe(maskKey("pаypal-0001-0001")); // the second has a Cyrillic а
  expect(maskKey("abcd-0001-0001")).not.toBe(maskKey("a\u200bbcd-0001-0001"));
});

test("a mask never shows more than half of a key", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/), (key) => {
      const shown = maskKey(key).replace("…", "");
      expect(shown.length).toBeLessThanOrEqual(Math.min(8, key.length / 2));
    }),
  );
});

const BORN = "2026-11-30T12:00:00.000000Z";

test.each([
  ["a counter", "1042", "sequence"],
  ["words and a counter", "order-000017", "sequence"],
  ["a version", "checkout-v12", "sequence"],
  ["epoch seconds", "1796040000", "clock"],
  ["epoch milliseconds", "1796040000123", "clock"],
  ["words and epoch", "pay-1796040000123", "clock"],
  ["a date and time", "pay-2026-11-30T12:00", "clock"],
  ["UUID version 1", "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d", "clock"],
  ["UUID version 4", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", null],
  ["UUID version 7", "01937b9e-7c00-7bad-9bdd-2b0d7b3dcb6d", null],
  ["ULID", "01JDYT0000ABCDEFGHJKMNPQRS", null],
  ["a random token", "s8Xk2VbQz0fLr7PnWm41Jg", null],
  ["sixteen digits that are no time", "4242424242424242", null],
] as const)("%s", (_, key, weakness) => {
  expect(weaknessOf(key, BORN)).toBe(weakness);
});

test("no key makes the judgement slow", () => {
  const started = performance.now();
  weaknessOf(`${"a".repeat(5_000)}!`, BORN);
  weaknessOf(`${"a-".repeat(5_000)}!`, BORN);
  expect(performance.now() - started).toBeLessThan(500);
});
