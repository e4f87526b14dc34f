import type { Phase } from "../schema";
import type { KeyRow, Profile } from "./model";
import { shift } from "./times";

/** live, or lapsed: only a completed row lapses, at its expiry by the database clock. */
export function phaseOf(row: Pick<KeyRow, "state" | "expiresAt">, now: string): Phase {
  return row.state === "completed" && row.expiresAt <= now ? "lapsed" : "live";
}

/** `in_progress` past its lease; without a lease, older than the endpoint's assumed one. */
export function isStuck(
  row: Pick<KeyRow, "state" | "lockedUntil" | "createdAt">,
  now: string,
  profile: Pick<Profile, "assumedLeaseMs">,
): boolean {
  return row.state === "in_progress" && leaseEnd(row, profile) <= now;
}

/** When the claim's owner stops being presumed alive. */
function leaseEnd(
  row: Pick<KeyRow, "lockedUntil" | "createdAt">,
  { assumedLeaseMs }: Pick<Profile, "assumedLeaseMs">,
): string {
  return row.lockedUntil ?? shift(row.createdAt, assumedLeaseMs);
}

/** A `failed` row with a stored status was answered: nobody has to settle it. */
export function isAnswered(row: Pick<KeyRow, "state" | "responseStatus">): boolean {
  return row.state === "completed" || (row.state === "failed" && row.responseStatus !== null);
}

/** It ran and its answer does not say otherwise. A completed row without a status counts as run. */
export function isExecuted(row: Pick<KeyRow, "state" | "responseStatus">): boolean {
  return isAnswered(row) && (row.responseStatus === null || row.responseStatus < 400);
}
