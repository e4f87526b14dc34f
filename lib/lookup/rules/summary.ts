import type { KeySummary, MatchedAs } from "../schema";
import type { KeyRow, Profile } from "./model";
import { profileFor } from "./profile";
import { isStuck, phaseOf } from "./standing";

/** What a summary is judged by: the database clock and what is declared of endpoints. */
export interface Yardstick {
  now: string;
  profiles: readonly Profile[];
}

export function summaryOf(row: KeyRow, { now, profiles }: Yardstick, matchedAs?: MatchedAs): KeySummary {
  const { weakness: _, ...shown } = row;
  const stuck = isStuck(row, now, profileFor(row.endpoint, profiles));
  return { ...shown, phase: phaseOf(row, now), stuck, ...(matchedAs && { matchedAs }) };
}

/** What events remember of an operation whose row is gone. */
export interface Remembered {
  tenantId: string;
  endpoint: string;
  keyHash: string;
  firstAt: string;
  fingerprint: string | null;
  state: string | null;
  status: number | null;
}

export function summaryOfGone(gone: Remembered, matchedAs?: MatchedAs): KeySummary {
  const { tenantId, endpoint, keyHash, fingerprint, state, status, firstAt } = gone;
  return {
    id: null,
    tenantId,
    endpoint,
    keyMasked: null,
    keyHash,
    fingerprint,
    state,
    phase: "cleaned",
    stuck: false,
    responseStatus: status,
    bodyBytes: null,
    lockedUntil: null,
    createdAt: firstAt,
    expiresAt: null,
    ...(matchedAs && { matchedAs }),
  };
}
