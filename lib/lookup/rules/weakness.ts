import type { KeyWeakness } from "./model";

/** Longest run of digits that is still taken for a counter; a longer one may be random. */
const COUNTER_DIGITS = 12;
/** How far a clock in a key may be from the row's own time and still be called its clock, in ms. */
const CLOCK_REACH_MS = 366 * 86_400_000;

const uuidOfTime = /^[0-9a-f]{8}-[0-9a-f]{4}-[16][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const dateInside =
  /(?:^|\D)(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])[T_ -]?(?:[01]\d|2[0-3])[:-]?[0-5]\d/;
const randomUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const wordsThenNumber = /^(?:[A-Za-z]+(?:[-_:./ ][A-Za-z]+)*[-_:./ ]?)?(\d+)$/;

/**
 * What makes a key guessable: the time of its making (epoch seconds to nanoseconds, a date, UUID version 1 or 6), or
 * words and a short number. UUIDv7 and ULID carry a time and 74 or more random bits, so they are none of these.
 */
export function weaknessOf(key: string, createdAt: string): KeyWeakness | null {
  if (randomUuid.test(key)) return null;
  if (uuidOfTime.test(key) || dateInside.test(key)) return "clock";
  const digits = wordsThenNumber.exec(key)?.[1];
  if (digits === undefined) return null;
  if (isEpoch(digits, Date.parse(createdAt))) return "clock";
  return digits.length <= COUNTER_DIGITS ? "sequence" : null;
}

function isEpoch(digits: string, near: number): boolean {
  return (
    [10, 13, 16, 19].includes(digits.length) &&
    Math.abs(Number(digits.padEnd(13, "0").slice(0, 13)) - near) < CLOCK_REACH_MS
  );
}
