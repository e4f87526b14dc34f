/** How a state looks, the same in chip, chart, timeline and table: a hue, a mark and a word. */
export const looks = [
  "executed",
  "replayed",
  "running",
  "conflict",
  "mismatch",
  "rejected",
  "stuck",
  "unknown",
  "failed",
  "ended",
] as const;

export type Look = (typeof looks)[number];
