import { describe, expect, it } from "vitest";
import { layoutTimeline, type TimelineInput } from "@/components/keys/timeline/layout";

const S = 1_000_000;
const H = 3_600 * S;

function input(over: Partial<TimelineInput> = {}): TimelineInput {
  return {
    attempts: [
      { id: "a", at: 0, durationMs: 1_200, look: "executed", status: "201" },
      { id: "b", at: 0.4 * S, durationMs: 5, look: "conflict", status: "409" },
      { id: "c", at: 3 * S, durationMs: 6, look: "replayed", status: "201" },
    ],
    leases: [],
    flags: [
      { kind: "now", at: 6 * H, label: "now" },
      { kind: "expiry", at: 24 * H, label: "replays until 2 Dec 2026 06:12" },
    ],
    twins: [],
    ...over,
  };
}

describe("layoutTimeline", () => {
  it("numbers attempts in order and gives each the tail of its duration", () => {
    const { marks } = layoutTimeline(input(), 1_200);
    expect(marks.map(({ id, number }) => [id, number])).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ]);
    const [first, second] = marks;
    expect(first?.tailTo).toBeGreaterThan(second?.x ?? 0);
  });

  it("fits a phone without scrolling for a common chain", () => {
    expect(layoutTimeline(input(), 358).width).toBe(358);
  });

  it("says the status only where it fits beside its neighbours", () => {
    const attempts = Array.from({ length: 15 }, (_, index) => ({
      id: String(index),
      at: index * 0.1 * S,
      durationMs: null,
      look: "replayed" as const,
      status: "201",
    }));
    expect(layoutTimeline(input({ attempts }), 1_200).marks.every(({ status }) => status === "201")).toBe(true);
    expect(layoutTimeline(input({ attempts }), 358).marks.every(({ status }) => status === null)).toBe(true);
  });

  it("keeps every label inside and puts overlapping ones on two rows", () => {
    const { flags, width } = layoutTimeline(
      input({
        flags: [
          { kind: "now", at: 23 * H, label: "now" },
          { kind: "expiry", at: 24 * H, label: "replays until 2 Dec 2026 06:12" },
        ],
      }),
      700,
    );
    expect(new Set(flags.map(({ labelY }) => labelY)).size).toBe(2);
    for (const { labelX, label } of flags) expect(labelX + label.length * 3.5).toBeLessThanOrEqual(width);
  });

  it("draws a lease to its end, and over it as long as it is known to run", () => {
    const { leases } = layoutTimeline(input({ leases: [{ from: 0, until: 5 * S, ranUntil: 40 * S }], flags: [] }), 900);
    const [lease] = leases;
    expect(lease?.until).toBeGreaterThan(lease?.from ?? 0);
    expect(lease?.ranTo).toBeGreaterThan(lease?.until ?? 0);
  });

  it("gives each twin a lane of its own under the main one", () => {
    const twin = (id: string, at: number) => ({ id, at, look: "executed" as const, label: id, sameRequest: true });
    const { twins, mainY, axisY } = layoutTimeline(input({ twins: [twin("t1", 1 * S), twin("t2", 2 * S)] }), 900);
    const lanes = twins.map(({ y }) => y);
    expect(lanes[0]).toBeGreaterThan(mainY);
    expect(lanes[1]).toBeGreaterThan(lanes[0] ?? 0);
    expect(axisY).toBeGreaterThan(lanes[1] ?? 0);
  });

  it("keeps two times on the axis from touching", () => {
    const { ticks } = layoutTimeline(input(), 1_200);
    for (const [index, { x }] of ticks.entries()) {
      if (index > 0) expect(x - (ticks[index - 1]?.x ?? 0)).toBeGreaterThan(100);
    }
  });
});
