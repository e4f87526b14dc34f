import type { HintCode, Params } from "../schema";
import { headerStripped, newKeyPerAttempt, weakKey } from "./hints-making";
import { attemptIdAsKey, keyAsAttemptId } from "./hints-naming";
import { attemptsAfterAnswer, ignoredRetryAfter, retriedMismatch, retriesOutlivedTtl } from "./hints-retrying";
import type { Picture } from "./picture";

/** A broken rule of the contract, before it is said. */
export interface ToldHint {
  code: HintCode;
  params: Params;
  eventIds: string[];
}

/** What a rule found: the events that show it, and what its sentence needs. Null where the client kept the rule. */
export type Finding = { eventIds: string[]; params?: Params } | null;

const rules: [HintCode, (picture: Picture) => Finding][] = [
  ["retried_mismatch", retriedMismatch],
  ["ignored_retry_after", ignoredRetryAfter],
  ["new_key_per_attempt", newKeyPerAttempt],
  ["attempt_id_as_key", attemptIdAsKey],
  ["key_as_attempt_id", keyAsAttemptId],
  ["weak_key", weakKey],
  ["retries_outlived_ttl", retriesOutlivedTtl],
  ["attempts_after_answer", attemptsAfterAnswer],
  ["header_stripped", headerStripped],
];

/** Every rule the client broke, each once. A client that buys twice on purpose breaks none. */
export function hintsOf(picture: Picture): ToldHint[] {
  return rules.flatMap(([code, rule]) => {
    const finding = rule(picture);
    return finding ? [{ code, params: finding.params ?? {}, eventIds: finding.eventIds }] : [];
  });
}
