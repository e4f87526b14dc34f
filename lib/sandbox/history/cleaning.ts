import type { ClientKind } from "../clients";
import type { Random } from "../random";
import { fromMs, type Micros } from "./micros";
import type { KeyRecord } from "./records";

const HOUR_MS = 3_600_000;
/** The part of long lapsed rows that an earlier clean-up has removed: events alone still tell of them. */
const CLEANED_PART = 0.12;

/** When the row was cleaned up; null where it is kept. Only what ran once and lapsed hours ago is ever removed. */
export function cleanedAt(kind: ClientKind, row: KeyRecord, random: Random, now: Micros): Micros | null {
  const at = row.expiresAt + fromMs(random.integer(HOUR_MS, 4 * HOUR_MS));
  // That a key is weak can be seen in the key alone, which goes with its row.
  const told = kind.expected.verdict === "executed_once" && !kind.expected.hints.includes("weak_key");
  const removable = row.state === "completed" && told && at < now;
  return removable && random.fraction() < CLEANED_PART ? at : null;
}
