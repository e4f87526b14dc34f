import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKey, type KeyFormat, type KeyRule, maskKey, parseKeyHeader, readKey } from "@/lib/idempotency";

const longest = "k".repeat(255);

describe("the header's value", () => {
  test.each([
    ["bare", "K1", "K1"],
    ["quoted", '"K1"', "K1"],
    ["spaces around", "  K1\t", "K1"],
    ["spaces around a quoted one", ' "K1" ', "K1"],
    ["every allowed character", "AZaz09-_", "AZaz09-_"],
    ["255 bytes", longest, longest],
    ["255 bytes quoted", `"${longest}"`, longest],
    ["starts with a digit", "0e8b", "0e8b"],
    ["a lone dash", "-", "-"],
    ["quoted, starts with a digit", '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"],
  ])("%s is a key", (_, value, key) => {
    expect(readKey(value)).toEqual({ ok: true, key });
  });

  test.each<[string, string, KeyRule]>([
    ["empty", "", "empty"],
    ["three spaces", "   ", "empty"],
    ["empty quotes", '""', "empty"],
    ["sent twice", "K1, K2", "repeated"],
    ["sent twice with one value", "K1, K1", "repeated"],
    ["a comma inside quotes", '"K1,K2"', "repeated"],
    ["256 bytes", `${longest}k`, "too_long"],
    ["256 bytes quoted", `"${longest}k"`, "too_long"],
    ["unterminated", '"open', "unterminated"],
    ["a lone quote", '"', "unterminated"],
    ["parameters", '"K1";v=1', "parameters"],
    ["a flag parameter", '"K1";v', "parameters"],
    ["parameters on a bare one", "K1;v=1", "parameters"],
    ["an escaped quote", '"a\\"b"', "character"],
    ["a wrong escape", '"a\\b"', "character"],
    ["text after the quote", '"K1"x', "unterminated"],
    ["a quote inside", 'K"1', "character"],
    ["a space inside", "K 1", "character"],
    ["a space inside quotes", '" K1"', "character"],
    ["UTF-8 as Node hands it over", Buffer.from("é").toString("latin1"), "character"],
    ["non-ASCII", "é", "character"],
    ["a full-width digit", "１", "character"],
    ["NUL", "K\0", "character"],
    ["line break", "K\r\nX: 1", "character"],
    ["a trailing line break", "K1\n", "character"],
    ["a dot", "a.b", "character"],
    ["a colon", "a:b", "character"],
    ["a slash", "a/b", "character"],
    ["base64 padding", "YQ==", "character"],
    ["a zero-width space", "a\u200Bb", "character"],
    ["a right-to-left override", "pay\u202E321", "character"],
    ["a byte sequence", ":cHJldGVuZA==:", "character"],
    ["an inner list", "(a b)", "character"],
    ["SQL", "a'; DROP TABLE x", "character"],
  ])("%s is refused", (_, value, rule) => {
    expect(readKey(value)).toEqual({ ok: false, rule });
  });

  test("bare and quoted spell the same key, and nothing outside the alphabet is one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const bare = readKey(text);
        if (bare.ok) expect(bare.key).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,255}$/), (key) => {
        expect(readKey(key)).toEqual({ ok: true, key });
        expect(readKey(`"${key}"`)).toEqual({ ok: true, key });
      }),
    );
  });
});

describe("the header's name", () => {
  const alias = "X-Idempotency-Key";

  test.each<[string, [string, string][], unknown]>([
    ["any case", [["IDEMPOTENCY-KEY", "K1"]], { ok: true, key: "K1", spelled: "K1" }],
    ["the spelling is kept for the echo", [["Idempotency-Key", '"K1"']], { ok: true, key: "K1", spelled: '"K1"' }],
    ["the alias alone", [[alias, "K2"]], { ok: true, key: "K2", spelled: "K2" }],
    [
      "both: the canonical name decides",
      [
        [alias, "K2"],
        ["Idempotency-Key", "K1"],
      ],
      { ok: true, key: "K1", spelled: "K1" },
    ],
    [
      "both, the canonical one malformed",
      [
        ["Idempotency-Key", "K 1"],
        [alias, "K2"],
      ],
      { ok: false, rule: "character" },
    ],
    [
      "both, the canonical one empty",
      [
        ["Idempotency-Key", ""],
        [alias, "K2"],
      ],
      { ok: false, rule: "empty" },
    ],
    [
      "sent twice",
      [
        ["Idempotency-Key", "K1"],
        ["Idempotency-Key", "K1"],
      ],
      { ok: false, rule: "repeated" },
    ],
    ["none", [], { ok: false, rule: "missing" }],
  ])("%s", (_, headers, expected) => {
    expect(parseKeyHeader(new Headers(headers), { alias })).toEqual(expected);
  });

  test("an alias that is not enabled is not read", () => {
    expect(parseKeyHeader(new Headers({ [alias]: "K1" }))).toEqual({ ok: false, rule: "missing" });
  });
});

describe("generated keys", () => {
  test.each<[KeyFormat, RegExp]>([
    ["uuid4", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ["uuid7", /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ["ulid", /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
    ["token", /^[A-Za-z0-9_-]{22}$/],
  ])("%s has its form, is accepted, and does not repeat", (format, form) => {
    const keys = Array.from({ length: 1_000 }, () => generateKey(format));
    for (const key of keys) {
      expect(key).toMatch(form);
      expect(readKey(key)).toEqual({ ok: true, key });
    }
    expect(new Set(keys).size).toBe(1_000);
  });

  test("a token uses all its 128 bits", () => {
    const keys = Array.from({ length: 500 }, () => Buffer.from(generateKey("token"), "base64url"));
    for (let bit = 0; bit < 128; bit++) {
      const ones = keys.filter((key) => ((key[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
      expect(ones).toBeGreaterThan(150);
      expect(ones).toBeLessThan(350);
    }
  });
});

test.each([
  ["8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03…9324"],
  ["abcdefgh", "ab…gh"],
  ["abc", "…"],
])("%s is masked as %s", (key, masked) => {
  expect(maskKey(key)).toBe(masked);
});
