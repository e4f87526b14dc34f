import type { Twin } from "../schema";
import type { EventRow } from "./model";
import { isExecuted } from "./standing";

/** Another key that may be the same operation, as its own claim told it. */
export interface TwinClaim {
  endpoint: string;
  keyHash: string;
  claimedAt: string;
  shares: Twin["shares"];
  amount: Twin["amount"];
  currency: string | null;
}

/** A twin with the times that decide whether its client waited for an answer. */
export interface TwinStory extends Twin {
  /** When an answer first left for the client; null while there was none. */
  deliveredAt: string | null;
  eventIds: string[];
}

/** Joins each claim to what its own events say became of it. `keyIds` holds the rows still there, by key hash. */
export function twinStories(
  claims: readonly TwinClaim[],
  events: readonly EventRow[],
  keyIds: ReadonlyMap<string, string>,
): TwinStory[] {
  return claims.map(({ claimedAt, ...claim }) => {
    const own = events.filter(({ keyHash, at }) => keyHash === claim.keyHash && at >= claimedAt);
    const outcome = outcomeOf(own);
    return {
      ...claim,
      ...outcome,
      keyId: keyIds.get(claim.keyHash) ?? null,
      createdAt: claimedAt,
      executed: isExecuted({ state: outcome.state ?? "", responseStatus: outcome.responseStatus }),
      deliveredAt: deliveredAt(own),
      eventIds: own.filter(({ kind }) => kind === "claimed").map(({ eventId }) => eventId),
    };
  });
}

/** State and status an operation's events lead to; state null where the claim was released. */
export function outcomeOf(events: readonly EventRow[]): { state: string | null; responseStatus: number | null } {
  let outcome: { state: string | null; responseStatus: number | null } = { state: null, responseStatus: null };
  for (const { kind, state, status } of events) {
    if (kind === "claimed") outcome = { state: "in_progress", responseStatus: null };
    else if (kind === "released") outcome = { state: null, responseStatus: null };
    else if (kind === "failed") outcome = { state: "failed", responseStatus: status };
    else if (kind === "marked_unknown") outcome = { state: "unknown", responseStatus: null };
    else if (["completed", "recovered", "reconciled"].includes(kind)) {
      outcome = { state: state ?? "completed", responseStatus: status ?? outcome.responseStatus };
    }
  }
  return outcome;
}

/** What brings the client an answer. What recovery or a decision completes reaches it only with the next replay. */
const delivering: ReadonlySet<string> = new Set(["completed", "released", "replayed"]);

/** When the first answer that settles the operation left for the client; null while there was none. */
export function deliveredAt(events: readonly EventRow[]): string | null {
  return events.find(({ kind }) => delivering.has(kind))?.at ?? null;
}
