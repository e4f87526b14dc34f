/** A scale that keeps what happened close together readable beside what happened hours apart. */
export interface FoldedScale {
  /** Position of a moment, in px. Moments between two known ones are placed in proportion. */
  x: (at: number) => number;
  folds: { x: number; micros: number }[];
  width: number;
}

/** A gap this many times longer than everything shorter together is idle time: drawn to scale it would crush the rest. */
const FOLD_RATIO = 40;
/** Shorter gaps are never folded, in µs: a reader takes two seconds for a wait, not for an absence. */
const SHORTEST_FOLD = 2_000_000;

interface Gap {
  from: number;
  micros: number;
  least: number;
  folded: boolean;
}

/**
 * Lays moments (µs) out over `width` px. `least` gives the px that must stay between two neighbours, so that their marks
 * do not touch; where that does not fit, the picture grows beyond `width` instead.
 */
export function foldedScale(
  moments: readonly number[],
  width: number,
  foldWidth: number,
  least: (from: number, to: number) => number,
): FoldedScale {
  const sorted = [...new Set(moments)].sort((a, b) => a - b);
  const gaps = foldIdle(
    sorted.slice(1).map((to, index) => {
      const from = sorted[index] ?? to;
      return { from, micros: to - from, least: least(from, to), folded: false };
    }),
  );
  const widths = spread(gaps, width, foldWidth);
  const stops = [0];
  for (const gapWidth of widths) stops.push((stops.at(-1) ?? 0) + gapWidth);
  const folds = gaps.flatMap((gap, index) =>
    gap.folded ? [{ x: (stops[index] ?? 0) + foldWidth / 2, micros: gap.micros }] : [],
  );
  return { x: (at) => place(at, sorted, stops), folds, width: stops.at(-1) ?? 0 };
}

function foldIdle(gaps: Gap[]): Gap[] {
  let shorter = 0;
  const folded = new Set<Gap>();
  for (const gap of [...gaps].sort((a, b) => a.micros - b.micros)) {
    if (shorter > 0 && gap.micros >= SHORTEST_FOLD && gap.micros >= FOLD_RATIO * shorter) folded.add(gap);
    else shorter += gap.micros;
  }
  return gaps.map((gap) => ({ ...gap, folded: folded.has(gap) }));
}

/** Shares the width in proportion to time; a gap that would fall under its least is pinned to it and the rest shared anew. */
function spread(gaps: Gap[], width: number, foldWidth: number): number[] {
  const pinned = new Map<Gap, number>();
  for (const gap of gaps) if (gap.folded) pinned.set(gap, Math.max(foldWidth, gap.least));
  for (;;) {
    const free = gaps.filter((gap) => !pinned.has(gap));
    const left = width - [...pinned.values()].reduce((sum, px) => sum + px, 0);
    const time = free.reduce((sum, gap) => sum + gap.micros, 0);
    const perMicro = time > 0 ? Math.max(0, left) / time : 0;
    const tight = free.filter((gap) => gap.micros * perMicro < gap.least);
    if (tight.length === 0) return gaps.map((gap) => pinned.get(gap) ?? gap.micros * perMicro);
    for (const gap of tight) pinned.set(gap, gap.least);
  }
}

function place(at: number, moments: readonly number[], stops: readonly number[]): number {
  const after = moments.findIndex((moment) => moment >= at);
  if (after === -1) return stops.at(-1) ?? 0;
  if (after === 0) return 0;
  const [from = 0, to = 0] = [moments[after - 1], moments[after]];
  const [left = 0, right = 0] = [stops[after - 1], stops[after]];
  return left + ((at - from) / (to - from)) * (right - left);
}
