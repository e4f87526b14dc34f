import type { PlannedAttempt } from "../clients";
import { parseFault } from "../fault";

/** `as_planned`: what the client's kind is about. `otherwise`: the service was in trouble, or too slow for it. */
export type Sent = "as_planned" | "otherwise" | "unanswered";

const ANSWER_WITHIN_MS = 15_000;
/** How much slower than it was asked to be an answer may come and still be what the client planned with. */
const TOLERATED_MS = 250;
const trouble = new Set(["internal_error", "idempotency_store_unavailable", "service_unavailable", "key_rate_limited"]);

/** Sends one attempt. Its answer is read, so that the connection can be used again, and kept by nobody. */
export async function send(request: Request, { fault }: PlannedAttempt, stop: AbortSignal): Promise<Sent> {
  const started = performance.now();
  try {
    const response = await fetch(request, { signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)]) });
    const code = codeOf(await response.text());
    const asked = fault === null ? null : parseFault(fault);
    const late = performance.now() - started > TOLERATED_MS + (asked?.kind === "slow" ? asked.ms : 0);
    const lost = code === "outcome_unknown" && asked?.kind !== "lose-answer";
    return late || lost || trouble.has(code) ? "otherwise" : "as_planned";
  } catch {
    return "unanswered";
  }
}

/** The code of a problem; empty for any other body. */
function codeOf(body: string): string {
  try {
    const { code } = Object(JSON.parse(body));
    return typeof code === "string" ? code : "";
  } catch {
    return "";
  }
}
