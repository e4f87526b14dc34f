import type { Sql } from "../sql";
import type { Claim, CompletedFrom, Opening, Operation, Reading, State, StoredResponse, Windows, Won } from "./rows";

/** What differs between table layouts: how a key is claimed, read, completed and released. */
export interface Layout {
  /** Claims the key, or null when another holds it. Runs inside a transaction that commits before any handler starts. */
  claim(tx: Sql, operation: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Won | null>;
  /** Claims a key that nothing holds, or reads what holds it, in one statement. May call a lapsed key free unclaimed. */
  claimOrRead(sql: Sql, operation: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Opening>;
  read(sql: Sql, operation: Operation): Promise<Reading>;
  /** Stores the response; null when the claim no longer holds. Returns the database's time. */
  complete(tx: Sql, claim: Claim, response: StoredResponse, from: CompletedFrom): Promise<string | null>;
  /** Deletes the claimed row, so that a retry runs; null when the claim no longer holds. */
  release(tx: Sql, claim: Claim): Promise<string | null>;
  /** Takes what must be locked before the key row (lock order: guard, then key). */
  lock(tx: Sql, operation: Operation): Promise<void>;
}

export interface Store extends Layout {
  /** Moves the row to `failed` or `unknown`; null when the claim no longer holds. */
  mark(tx: Sql, claim: Claim, from: State, to: "failed" | "unknown"): Promise<string | null>;
  /** Records that an effect is about to start, or refuses; see `effects.ts`. */
  recordEffect(tx: Sql, claim: Claim, effect: Effect): Promise<string | null>;
  hasEffect(tx: Sql, claim: Claim): Promise<boolean>;
  /**
   * Rows in this state, oldest lease first, unlocked: look again before acting. `in_progress` ones only once their
   * lease is past by the database's clock.
   */
  open(sql: Sql, state: OpenState, limit: number): Promise<Claim[]>;
  /** Locks the row if it is still as `open` saw it and nobody else has it locked. */
  retake(tx: Sql, claim: Claim, state: OpenState): Promise<boolean>;
}

export type OpenState = "in_progress" | "unknown";

export interface Effect {
  step: string;
  downstreamKey: string;
  timeoutMs: number;
}
