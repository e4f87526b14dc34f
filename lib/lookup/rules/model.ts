import type { Amount, Params } from "../schema";

/** A key row as the desk holds it: no body, times as text, the key itself only masked. */
export interface KeyRow {
  id: string;
  tenantId: string;
  endpoint: string;
  keyHash: string;
  keyMasked: string;
  /** What the key's spelling gives away; null where nothing. */
  weakness: KeyWeakness | null;
  fingerprint: string;
  state: string;
  responseStatus: number | null;
  bodyBytes: number | null;
  lockedUntil: string | null;
  createdAt: string;
  expiresAt: string;
}

export type KeyWeakness = "sequence" | "clock";

/** An event of the stream. `keyHash` is null only for an attempt that came without a key. */
export interface EventRow {
  eventId: string;
  kind: string;
  at: string;
  receivedAt: string;
  endpoint: string;
  keyHash: string | null;
  fingerprint: string | null;
  state: string | null;
  status: number | null;
  durationMs: number | null;
  requestId: string | null;
  /** The request id is the key itself: as its hash where the library wrote the event, as it came where others did. */
  requestIsKey: boolean;
  traceId: string | null;
  source: string | null;
  errorCode: string | null;
  providerReference: string | null;
  amount: Amount | null;
  currency: string | null;
  references: string[];
  customer: string | null;
  retryAfterMs: number | null;
}

/** What is declared for an endpoint. Null: undeclared, and the desk then says "not known". */
export interface Profile {
  pattern: string;
  assumedLeaseMs: number;
  twinWindowMs: number;
  bodyCodec: "plain" | "envelope-v1" | "opaque";
  onInProgress: "conflict" | "execute" | null;
  onExpiredLease: "conflict" | "pending" | "execute" | null;
  onCompleted: "replay" | "conflict" | "execute" | null;
  onExpired: "replay" | "execute" | null;
  onFailed: "pending" | "replay" | "execute" | null;
  onUnknown: "pending" | "execute" | null;
  /** JSON Pointers (RFC 6901) into stored bodies whose values are masked. */
  maskedPointers: readonly string[];
}

/** A sentence before it is said: what, not how. */
export interface Told {
  code: string;
  params: Params;
}
