import type { Look } from "@/components/ui/look";
import { foldedScale } from "./scale";

/** What happened, with every instant in µs since the epoch and every word already in the reader's language. */
export interface TimelineInput {
  attempts: { id: string; at: number; durationMs: number | null; look: Look; status: string }[];
  /** A lease still holding, or past without an answer: `ranUntil` is how far the operation is known to have run over. */
  leases: { from: number; until: number; ranUntil: number | null }[];
  flags: { kind: "now" | "expiry"; at: number; label: string }[];
  twins: { id: string; at: number; look: Look; label: string; sameRequest: boolean }[];
}

export interface Timeline {
  width: number;
  height: number;
  mainY: number;
  axisY: number;
  marks: { id: string; x: number; look: Look; number: string; status: string | null; tailTo: number | null }[];
  leases: { from: number; until: number; ranTo: number | null }[];
  flags: { kind: "now" | "expiry"; x: number; label: string; labelX: number; labelY: number }[];
  /** `inBand`: cut out of a lease that goes on, so the band is drawn through. */
  folds: { x: number; width: number; micros: number; inBand: boolean }[];
  ticks: { at: number; x: number; anchor: "start" | "middle" | "end" }[];
  twins: {
    id: string;
    x: number;
    y: number;
    look: Look;
    label: string;
    sameRequest: boolean;
    anchor: "start" | "end";
  }[];
}

export const MARK_SIZE = 18;

/** Below this many px of room everything stands closer. */
const ROOMY = 560;
const PAD = 24;
const NARROW_PAD = 14;
/** A folded stretch holds "23 h 59 m", with air around it where there is room. */
const FOLD_WIDTH = 116;
const NARROW_FOLD_WIDTH = 80;
/** Between two marks: the mark, and air enough to hit the right one with a finger. */
const MARK_GAP = 26;
/** Under a mark that has this much room on both sides its status fits. */
const STATUS_ROOM = 38;
const OTHER_GAP = 10;
const FLAG_ROW = 16;
const LANE_HEIGHT = 54;
const AXIS_HEIGHT = 44;
const TICK_ROOM = 104;
/** Width of the picture's text, in px: of a Latin character, and of a Chinese one, which is twice as wide. */
const NARROW = 7.3;
const WIDE = 12.5;

/** Turns what happened into positions. The drawing decides nothing: it draws these. */
export function layoutTimeline(input: TimelineInput, available: number): Timeline {
  const marked = new Set([...input.attempts, ...input.twins].map(({ at }) => at));
  const roomy = available >= ROOMY;
  const pad = roomy ? PAD : NARROW_PAD;
  const foldWidth = roomy ? FOLD_WIDTH : NARROW_FOLD_WIDTH;
  const scale = foldedScale(momentsOf(input), Math.max(0, available - 2 * pad), foldWidth, (from, to) =>
    marked.has(from) && marked.has(to) ? MARK_GAP : OTHER_GAP,
  );
  const x = (at: number) => pad + scale.x(at);
  const width = Math.max(available, scale.width + 2 * pad);
  const flags = placeFlags(input.flags, x, width);
  const mainY = 20 + FLAG_ROW * (flags.some(({ labelY }) => labelY > FLAG_ROW) ? 2 : 1) + MARK_SIZE;
  const twins = input.twins.map((twin, index) => {
    const at = x(twin.at);
    return {
      ...twin,
      x: at,
      y: mainY + LANE_HEIGHT * (index + 1),
      anchor: at > width / 2 ? ("end" as const) : ("start" as const),
    };
  });
  const leases = input.leases.map(({ from, until, ranUntil }) => ({
    from: x(from),
    until: x(until),
    ranTo: ranUntil === null ? null : x(ranUntil),
  }));
  const axisY = mainY + LANE_HEIGHT * input.twins.length + AXIS_HEIGHT;
  return {
    width,
    height: axisY + 22,
    mainY,
    axisY,
    marks: placeMarks(input.attempts, x),
    leases,
    flags,
    folds: scale.folds.map((fold) => {
      const here = fold.x + pad;
      const inBand = leases.some(({ from, until, ranTo }) => from < here && here < (ranTo ?? until));
      return { ...fold, x: here, width: foldWidth, inBand };
    }),
    ticks: placeTicks(input, x, width),
    twins,
  };
}

function momentsOf({ attempts, leases, flags, twins }: TimelineInput): number[] {
  return [
    ...attempts.flatMap(({ at, durationMs }) => (durationMs === null ? [at] : [at, at + durationMs * 1_000])),
    ...leases.flatMap(({ from, until, ranUntil }) => (ranUntil === null ? [from, until] : [from, until, ranUntil])),
    ...flags.map(({ at }) => at),
    ...twins.map(({ at }) => at),
  ];
}

function placeMarks(attempts: TimelineInput["attempts"], x: (at: number) => number): Timeline["marks"] {
  const places = attempts.map(({ at }) => x(at));
  return attempts.map(({ id, at, durationMs, look, status }, index) => {
    const here = places[index] ?? 0;
    const room = Math.min(
      here - (places[index - 1] ?? Number.NEGATIVE_INFINITY),
      (places[index + 1] ?? Number.POSITIVE_INFINITY) - here,
    );
    return {
      id,
      x: here,
      look,
      number: String(index + 1),
      status: room >= STATUS_ROOM ? status : null,
      tailTo: durationMs === null ? null : x(at + durationMs * 1_000),
    };
  });
}

/** Labels of lines stand above them, turned inwards at the edges, on a second row where they would overlap. */
function placeFlags(flags: TimelineInput["flags"], x: (at: number) => number, width: number): Timeline["flags"] {
  let occupied = Number.NEGATIVE_INFINITY;
  return [...flags]
    .sort((a, b) => a.at - b.at)
    .map(({ kind, at, label }) => {
      const half = textWidth(label) / 2;
      const here = x(at);
      const labelX = Math.min(Math.max(here, half + 4), Math.max(half + 4, width - half - 4));
      const crowded = labelX - half < occupied;
      occupied = Math.max(occupied, labelX + half + NARROW);
      return { kind, x: here, label, labelX, labelY: crowded ? 2 * FLAG_ROW : FLAG_ROW };
    });
}

function textWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > "\u2e7f" ? WIDE : NARROW), 0);
}

/** A time under the first attempt, and under every later moment that is far enough from the one before. */
function placeTicks({ attempts, twins }: TimelineInput, x: (at: number) => number, width: number): Timeline["ticks"] {
  const ticks: Timeline["ticks"] = [];
  for (const { at } of [...attempts, ...twins].sort((a, b) => a.at - b.at)) {
    const here = x(at);
    const last = ticks.at(-1);
    if (last && here - last.x < TICK_ROOM) continue;
    const anchor = here < TICK_ROOM / 2 ? "start" : here > width - TICK_ROOM / 2 ? "end" : "middle";
    ticks.push({ at, x: here, anchor });
  }
  return ticks;
}
