import { StartError } from "./failure";

/** Of one history: more would take longer to write than anybody waits. */
export const MOST_OPERATIONS = 5_000_000;

/** The whole number from 1 to `most` that a flag says; throws a `StartError` that names the flag. */
export function wholeNumber(flag: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new StartError(`--${flag} must be a whole number from 1 to ${most}.`);
}
