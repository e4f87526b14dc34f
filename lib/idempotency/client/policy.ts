/** What one attempt got: an HTTP answer, or none. */
export type AttemptAnswer = { status: number; code: string | null; replayed: boolean } | "network_error" | "timeout";

/**
 * What to do next. `retry`: again under the same key. `refresh`: again after new credentials. The others are final:
 * `done`, `refused` (a definitive answer), `key_reuse` (the caller's bug) and `fix_request` (the key may be used again).
 */
export type Decision = "done" | "retry" | "refresh" | "refused" | "key_reuse" | "fix_request";

const pendingCodes = new Set(["request_in_progress", "outcome_pending", "outcome_unknown"]);
const keyCodes = new Set(["idempotency_key_missing", "idempotency_key_invalid"]);
/** Refused before anything ran, so that asking again is safe even where keys are not enforced. */
const askAgain = new Set([408, 425, 429]);

/**
 * The contract's table of outcomes. `enforced`: the endpoint is declared to enforce keys; without that, an attempt whose
 * effect may have happened is never sent again. The code decides before the status.
 */
export function decide(answer: AttemptAnswer, enforced: boolean): Decision {
  if (typeof answer === "string") return enforced ? "retry" : "refused";
  const { status, code, replayed } = answer;
  if (status >= 200 && status < 300) return "done";
  if (code === "idempotency_key_reuse") return "key_reuse";
  if (code !== null && keyCodes.has(code)) return "fix_request";
  if (code !== null && pendingCodes.has(code)) return "retry";
  if (status === 401 || status === 403) return "refresh";
  if (askAgain.has(status)) return "retry";
  if (status >= 500 && !replayed && enforced) return "retry";
  return "refused";
}

/** True when, after this answer, nobody can say that nothing happened. A refusal before the handler is not ambiguous. */
export function isAmbiguous(answer: AttemptAnswer): boolean {
  if (typeof answer === "string") return true;
  if (answer.code !== null && pendingCodes.has(answer.code)) return true;
  return answer.status >= 500 && !answer.replayed && answer.code !== "idempotency_store_unavailable";
}
