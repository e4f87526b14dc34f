import { describe, expect, it } from "vitest";
import { foldedScale } from "@/components/keys/timeline/scale";

const S = 1_000_000;
const FOLD = 100;
const scaleOf = (moments: number[], width = 1_000) => foldedScale(moments, width, FOLD, () => 20);

describe("foldedScale", () => {
  it("draws retries of one burst to scale", () => {
    const { x, folds } = scaleOf([0, 1 * S, 3 * S, 10 * S]);
    expect(folds).toEqual([]);
    expect([0, 1 * S, 3 * S, 10 * S].map(x)).toEqual([0, 100, 300, 1_000]);
  });

  it("folds idle hours between bursts and says how long they were", () => {
    const { x, folds, width } = scaleOf([0, 2 * S, 22_320 * S, 22_321 * S]);
    expect(folds.map(({ micros }) => micros / S)).toEqual([22_318]);
    expect(width).toBe(1_000);
    expect(x(22_320 * S) - x(2 * S)).toBe(FOLD);
    expect(folds[0]?.x).toBe((x(2 * S) + x(22_320 * S)) / 2);
  });

  it("folds nothing where all gaps are alike, however long", () => {
    expect(scaleOf([0, 86_400 * S, 172_800 * S]).folds).toEqual([]);
  });

  it("never folds a wait of a second, however tight the burst before it", () => {
    expect(scaleOf([0, 100, 1 * S]).folds).toEqual([]);
  });

  it("keeps neighbours apart and grows where they do not fit", () => {
    const burst = Array.from({ length: 60 }, (_, index) => index);
    const { x, width } = scaleOf(burst, 300);
    expect(width).toBe(59 * 20);
    for (const at of burst.slice(1)) expect(x(at) - x(at - 1)).toBeGreaterThanOrEqual(20);
  });

  it("keeps the order of time, inside and outside what it knows", () => {
    const { x } = scaleOf([5 * S, 6 * S, 9_000 * S]);
    const positions = [0, 5 * S, 5.5 * S, 6 * S, 4_000 * S, 9_000 * S, 10_000 * S].map(x);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it("takes one moment, and none", () => {
    expect(scaleOf([7]).x(7)).toBe(0);
    expect(scaleOf([]).width).toBe(0);
  });
});
