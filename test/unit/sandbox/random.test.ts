import { describe, expect, test } from "vitest";
import { seededRandom } from "@/lib/sandbox/random";

describe("a seeded random source", () => {
  test("is the same for the same seed, whatever the sizes asked for", () => {
    const [one, other] = [seededRandom("s"), seededRandom("s")];
    const inPieces = Buffer.concat([one.bytes(3), one.bytes(70_000), one.bytes(5)]);
    expect(inPieces.equals(other.bytes(70_008))).toBe(true);
    expect(seededRandom("t").bytes(16).equals(seededRandom("s").bytes(16))).toBe(false);
  });

  test("keeps its bounds", () => {
    const random = seededRandom("bounds");
    for (let round = 0; round < 2_000; round++) {
      expect([3, 4, 5]).toContain(random.integer(3, 5));
      const size = random.logarithmic(1, 150);
      expect(size >= 1 && size < 150).toBe(true);
    }
  });

  test("picks in proportion to weight, and never what weighs nothing", () => {
    const random = seededRandom("weights");
    const items = [
      { name: "never", weight: 0 },
      { name: "rare", weight: 1 },
      { name: "common", weight: 3 },
    ];
    const counts = new Map<string, number>();
    for (let round = 0; round < 8_000; round++) {
      const { name } = random.weighted(items);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect(counts.get("never")).toBeUndefined();
    expect((counts.get("common") ?? 0) / (counts.get("rare") ?? 1)).toBeCloseTo(3, 0);
  });

  test("refuses to choose from nothing", () => {
    expect(() => seededRandom("x").pick([])).toThrow(RangeError);
  });
});
