/** One logical write: all three, always. */
export interface Operation {
  /** UUID. */
  tenant: string;
  /** Method and route template, such as `POST /v1/payments`. */
  endpoint: string;
  key: string;
}

/** What fences its owner's later statements: only the row claimed, in its state, under this very lease. */
export interface Claim extends Operation {
  id: string;
  /** Times are RFC 3339 UTC with six digits, by the database's clock. */
  createdAt: string;
  lockedUntil: string;
}

export interface Won {
  claim: Claim;
  /** True when a lapsed key is used again: a new run under a new id. */
  reused: boolean;
}

export interface KeyRow {
  id: string;
  state: string;
  fingerprint: Uint8Array;
  status: number | null;
  body: Uint8Array | null;
  /** As stored: null, an array of pairs, or whatever another writer put there. */
  headers: unknown;
  lockedUntil: string | null;
  createdAt: string;
  expiresAt: string;
}

/** What a key holds now. `inconsistent`: the guard and the key row disagree, so nothing may run. */
export type Reading =
  | { kind: "free" }
  | { kind: "held"; row: KeyRow; at: string }
  | { kind: "inconsistent"; at: string };

/** What one look at a key gave: the claim itself, where nothing held it. */
export type Opening = Reading | ({ kind: "won" } & Won);

/** The states this library writes. A row may hold others, written by others. */
export type State = "in_progress" | "completed" | "failed" | "unknown";

/** A response as the row keeps it. A null body means it was not kept; an answer without content has zero bytes. */
export interface StoredResponse {
  status: number;
  headers: [name: string, value: string][];
  body: Uint8Array | null;
}

export interface Windows {
  leaseMs: number;
  ttlMs: number;
}

/** The state a row is completed from: `unknown` when its answer was found later. */
export type CompletedFrom = "in_progress" | "unknown";
