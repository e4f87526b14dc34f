import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprint } from "@/lib/idempotency/fingerprint/fingerprint";
import { parseJson, printJson } from "@/lib/idempotency/fingerprint/json";
import { parsePointers } from "@/lib/idempotency/fingerprint/pointer";
import { NotCanonicalizable } from "@/lib/idempotency/fingerprint/refusal";
import { sameFingerprint, storedVersion } from "@/lib/idempotency/fingerprint/stored";

const canonical = (text: string) => printJson(parseJson(Buffer.from(text)));

/** Writes a value as JSON in a way of its own: members shuffled, blanks between tokens, numbers respelled. */
function respell(value: unknown, pick: (n: number) => number): string {
  const blank = () => [" ", "", "\n", "\t\r\n"][pick(4)] ?? "";
  if (typeof value === "number") return respellNumber(value, pick);
  if (typeof value === "string") return respellString(value, pick);
  if (Array.isArray(value)) return `[${value.map((item) => blank() + respell(item, pick) + blank()).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${blank()}${respellString(name, pick)}${blank()}:${blank()}${respell(member, pick)}`,
  );
  for (let at = members.length - 1; at > 0; at--) {
    const other = pick(at + 1);
    [members[at], members[other]] = [members[other] ?? "", members[at] ?? ""];
  }
  return `{${members.join(",")}${blank()}}`;
}

function respellNumber(value: number, pick: (n: number) => number): string {
  const plain = JSON.stringify(value);
  if (plain.includes("e")) return plain.replace("e", "E");
  const shift = pick(5);
  return (
    [plain, `${plain}e0`, plain.includes(".") ? `${plain}00` : `${plain}.0`, `${plain}E+00`, plain][shift] ?? plain
  );
}

function respellString(value: string, pick: (n: number) => number): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const units = value.split("").map((unit) => (pick(3) === 0 ? escaped(unit) : JSON.stringify(unit).slice(1, -1)));
  return `"${units.join("")}"`;
}

/** Numbers below 1e-308 are refused by rule. */
const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !/e-3\d\d/.test(JSON.stringify(value)));
const picks = fc.infiniteStream(fc.nat(1_000)).map((stream) => (n: number) => (stream.next().value ?? 0) % n);

describe("canonical JSON", () => {
  test("one value, however it is spelled, has one form", () => {
    fc.assert(
      fc.property(json, picks, (value, pick) => {
        expect(canonical(respell(value, pick))).toBe(canonical(JSON.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
  });

  test("its form still means the same value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonical(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
  });

  test("two values that differ have two forms", () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const equal = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(canonical(JSON.stringify(one)) === canonical(JSON.stringify(other))).toBe(equal);
      }),
      { numRuns: 1_000 },
    );
  });

  test("what JSON.parse refuses is refused, and what is accepted JSON.parse accepts", () => {
    const fragments = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      "0",
      "1.5",
      "true",
      "null",
      " ",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const ours = refusal(() => canonical(text));
        const theirs = refusal(() => JSON.parse(text));
        if (ours !== "duplicate_member") expect(ours === null).toBe(theirs === null);
      }),
      { numRuns: 5_000 },
    );
  });

  test("any bytes give a form or a typed refusal", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(["string", "NotCanonicalizable"]).toContain(kind(() => printJson(parseJson(bytes))));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(["[", '{"a":'])("%s a hundred thousand deep is refused, not a crash", (open) => {
    expect(() => canonical(open.repeat(100_000))).toThrow(new NotCanonicalizable("too_deep", 0).message.split(" ")[0]);
  });

  test("a megabyte of text is one token", () => {
    expect(canonical(JSON.stringify('\\"x'.repeat(250_000)))).toHaveLength(1_250_002);
  });
});

describe("volatile fields", () => {
  test.each(["", "id", "/a~2", "/~"])("pointer %j is refused at start-up", (pointer) => {
    expect(() => parsePointers([pointer])).toThrow(RangeError);
  });
});

describe("stored versions", () => {
  const digest = fingerprint(
    { method: "POST", path: "/", query: "", tenant: "t", contentType: "", body: null },
    { volatile: [], raw: false },
  );

  test("32 bytes are version 1, later ones name theirs", () => {
    expect(storedVersion(digest)).toBe(1);
    expect(storedVersion(Buffer.concat([Buffer.from([2]), digest]))).toBe(2);
    expect(storedVersion(Buffer.alloc(5))).toBeNull();
  });

  test("a row is compared by its own version, or not at all", () => {
    const second = Buffer.alloc(32, 7);
    const request = new Map([
      [1, digest],
      [2, second],
    ]);
    expect(sameFingerprint(digest, request)).toBe(true);
    expect(sameFingerprint(second, request)).toBe(false);
    expect(sameFingerprint(Buffer.concat([Buffer.from([2]), second]), request)).toBe(true);
    expect(sameFingerprint(Buffer.concat([Buffer.from([3]), second]), request)).toBeNull();
    expect(sameFingerprint(Buffer.alloc(0), request)).toBeNull();
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, member]) => [name, sorted(member)]) };
}

function refusal(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof NotCanonicalizable ? error.rule : "syntax";
  }
}

function kind(action: () => unknown): string {
  try {
    return typeof action();
  } catch (error) {
    return error instanceof Error ? error.name : "unknown";
  }
}
