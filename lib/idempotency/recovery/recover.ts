import type { Mode } from "../options";
import { type KeepRules, packResponse } from "../response/pack";
import type { Sql } from "../sql";
import type { Claim } from "../store/rows";
import { defaultLimit, type PassOptions, tell } from "./tell";

/** What recovery must know of an endpoint. */
export interface RecoveryProfile {
  /** `unknown` where it is not declared: such an operation is never called failed. */
  mode: Mode | "unknown";
  /**
   * The business row written under this claim, as the response its client should get; null when there is none. A row
   * older than `claim.createdAt` belongs to an earlier operation under the same key, lapsed since: it is not it.
   */
  businessRecord?: (tx: Sql, claim: Claim) => Promise<Response | null>;
  keep?: KeepRules;
}

export interface RecoveryOptions extends PassOptions {
  /** Undefined for an endpoint nobody declared: it is treated as of unknown mode. */
  profile: (endpoint: string) => RecoveryProfile | undefined;
}

/** What became of the rows of one pass. */
export interface Recovered {
  completed: number;
  failed: number;
  unknown: number;
}

const undeclared: RecoveryProfile = { mode: "unknown" };

/**
 * Resolves rows whose lease is past by the database's clock. Nothing is ever run again: a row becomes `completed` only
 * with its business record, `unknown` where an effect may have happened, and `failed` where provably none was started.
 * Any number of processes may run it at once.
 */
export async function recover(options: RecoveryOptions): Promise<Recovered> {
  const done: Recovered = { completed: 0, failed: 0, unknown: 0 };
  for (const claim of await options.store.open(options.db, "in_progress", options.limit ?? defaultLimit)) {
    try {
      const became = await options.db.transaction((tx) => recoverOne(options, tx, claim));
      if (became) done[became]++;
    } catch (error) {
      options.report?.(error);
    }
  }
  return done;
}

/** Null when another process has the row, or its owner finished meanwhile. */
async function recoverOne(options: RecoveryOptions, tx: Sql, claim: Claim): Promise<keyof Recovered | null> {
  const { store } = options;
  await store.lock(tx, claim);
  if (!(await store.retake(tx, claim, "in_progress"))) return null;
  const profile = options.profile(claim.endpoint) ?? undeclared;
  const record = await profile.businessRecord?.(tx, claim);
  if (record) {
    const { stored } = await packResponse(record, claim, profile.keep ?? {});
    const at = await store.complete(tx, claim, stored, "in_progress");
    const more = { state: "completed", responseStatus: stored.status } as const;
    await tell(options, tx, claim, at, [["lease_expired"], ["recovered", more]]);
    return "completed";
  }
  const state = profile.mode === "unknown" || (await store.hasEffect(tx, claim)) ? "unknown" : "failed";
  const at = await store.mark(tx, claim, "in_progress", state);
  const kind = state === "unknown" ? "marked_unknown" : "failed";
  await tell(options, tx, claim, at, [["lease_expired"], [kind, { state }]]);
  return state;
}
