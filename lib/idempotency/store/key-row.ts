import { Fragment, iso } from "./fragments";
import type { Claim, KeyRow, Operation } from "./rows";

/** A key row as read under the alias `k`, its times as text. */
export interface KeyRecord {
  id: string;
  state: string;
  fingerprint: Uint8Array;
  status: number | null;
  body: Uint8Array | null;
  headers: unknown;
  locked_until: string | null;
  created_at: string;
  expires_at: string;
}

export const keyColumns = new Fragment(
  `k.id::text AS id, k.state, k.fingerprint, k.response_status AS status, k.response_body AS body,
   k.response_headers AS headers, ${iso("k.locked_until").text} AS locked_until,
   ${iso("k.created_at").text} AS created_at, ${iso("k.expires_at").text} AS expires_at`,
);

/** Only a completed row lapses; any other state holds its key until it is resolved. */
export const lapsed = new Fragment("(k.state = 'completed' AND k.expires_at <= clock_timestamp())");

/**
 * Until when a row completed now answers. Completed late (out of `unknown`, or after its lease) it gets a whole new
 * window: what was left of the first one may be over before any client has had the answer.
 */
export const windowEnd = new Fragment(
  `CASE WHEN k.state = 'unknown' OR k.locked_until <= clock_timestamp()
     THEN greatest(k.expires_at, clock_timestamp() + (k.expires_at - k.created_at))
     ELSE k.expires_at END`,
);

export const now = iso("clock_timestamp()");

/** A row just claimed. */
export function toClaim(operation: Operation, record: KeyRecord): Claim {
  return { ...operation, id: record.id, createdAt: record.created_at, lockedUntil: record.locked_until ?? "" };
}

export function toKeyRow(record: KeyRecord): KeyRow {
  const { locked_until: lockedUntil, created_at: createdAt, expires_at: expiresAt, ...rest } = record;
  return { ...rest, lockedUntil, createdAt, expiresAt };
}
