/** Longer than this no server's wish is followed: the caller is told instead. */
const longestMs = 86_400_000;

const seconds = /^\d+(\.\d+)?$/;
/** The three forms of an HTTP date; `Date.parse` alone would take almost anything for one. */
const httpDate = /^[A-Za-z]{3,9},? [\d\w -]+ [\d:]{8}( GMT| \d{4})?$/;

/**
 * Milliseconds a `Retry-After` asks to wait: 0 to a day, null when it says nothing usable. A date counts from the
 * answer's own `Date`, so that a wrong client clock does not stretch it; without one, from `now`.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get("Retry-After")?.trim() ?? "";
  const ms = seconds.test(value) ? Number(value) * 1000 : untilDate(value, headers.get("Date"), now);
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestMs);
}

function untilDate(value: string, answered: string | null, now: number): number {
  if (!httpDate.test(value)) return Number.NaN;
  const from = Date.parse(answered ?? "");
  return Date.parse(value) - (Number.isNaN(from) ? now : from);
}
