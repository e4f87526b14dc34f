/** A time as whole microseconds since the epoch: exact in a JS number until the year 2255. */
export type Micros = number;

export const fromMs = (ms: number): Micros => Math.round(ms * 1_000);

/** RFC 3339 UTC with six digits, as the database and the API spell times. */
export function timeText(at: Micros): string {
  const ms = Math.floor(at / 1_000);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(at - ms * 1_000).padStart(3, "0")}Z`;
}
