import type { Params, RetryNow } from "../schema";
import type { KeyRow, Profile } from "./model";
import { isAnswered, isStuck, phaseOf } from "./standing";

export interface ToldRetry {
  outcome: RetryNow["outcome"];
  status: number | null;
  until: string | null;
  params: Params;
}

/**
 * What a client that retries now would get, from what is declared of the endpoint: undeclared is `not_known`, because
 * advice to retry that is wrong charges a customer twice.
 */
export function retryNow(row: KeyRow | null, profile: Profile, now: string): ToldRetry {
  const { answer, until } = row ? behaviour(row, profile, now) : { answer: whenGone(profile), until: null };
  const status = statusOf(answer, row);
  return { outcome: answer, status, until, params: spoken(status, until) };
}

type Outcome = RetryNow["outcome"];

function behaviour(row: KeyRow, profile: Profile, now: string): { answer: Outcome; until: string | null } {
  if (isAnswered(row)) {
    if (row.state === "failed") return { answer: profile.onFailed ?? "not_known", until: null };
    if (phaseOf(row, now) === "lapsed") return { answer: profile.onExpired ?? "not_known", until: null };
    return { answer: profile.onCompleted ?? "not_known", until: profile.onCompleted ? row.expiresAt : null };
  }
  if (row.state === "failed") return { answer: profile.onFailed ?? "not_known", until: null };
  if (row.state === "unknown") return { answer: profile.onUnknown ?? "not_known", until: null };
  if (row.state !== "in_progress") return { answer: "not_known", until: null };
  if (isStuck(row, now, profile)) return { answer: profile.onExpiredLease ?? "not_known", until: null };
  return { answer: profile.onInProgress ?? "not_known", until: profile.onInProgress ? row.lockedUntil : null };
}

/** Without a record the key is new again, as it is after its expiry. */
function whenGone({ onExpired }: Profile): Outcome {
  return onExpired === null ? "not_known" : "execute";
}

function statusOf(answer: Outcome, row: KeyRow | null): number | null {
  if (answer === "conflict" || answer === "pending") return 409;
  return answer === "replay" ? (row?.responseStatus ?? null) : null;
}

function spoken(status: number | null, until: string | null): Params {
  return {
    answer: status === null ? "none" : "kept",
    status: String(status ?? ""),
    ...(until ? { ends: "yes", until: { time: until } } : { ends: "no" }),
  };
}
