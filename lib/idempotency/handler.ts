import { type Admission, admit, standingOf } from "./admit";
import type { Caller, Handler } from "./context";
import { compileEndpoint, type Endpoint } from "./endpoint";
import { type AttemptKind, event, type IdempotencyEvent } from "./events";
import { eventBase, type Intake, type Refusal, takeIn } from "./intake";
import { keyHeader } from "./key-header";
import type { IdempotentOptions, Mode } from "./options";
import { problem } from "./response/answers";
import { replayResponse } from "./response/replay";
import { type AnyHandler, prepareRun } from "./run";
import { defaultPendingRetryAfter, execute } from "./settle";
import type { Sql } from "./sql";
import type { Claim, KeyRow } from "./store/rows";

export const replayedHeader = "Idempotent-Replayed";

/** Answers one request. The caller has authenticated and authorised it already. */
export type IdempotentHandler = (request: Request, caller: Caller) => Promise<Response>;

/**
 * Wraps a handler so that it runs once per tenant, endpoint and key, and every other attempt gets the answer the
 * contract's table names. Throws RangeError at once for options under which that would not hold.
 */
export function idempotent<M extends Mode, Tx extends Sql = Sql>(
  options: IdempotentOptions<M, Tx>,
  handler: Handler<M, Tx>,
): IdempotentHandler {
  const endpoint = compileEndpoint(options) as Endpoint;
  const run = handler as AnyHandler;
  return async (request, caller) => {
    const intake = await takeIn(endpoint, request, caller);
    if ("refused" in intake) return refuse(endpoint, intake, caller);
    return echo(await answer(endpoint, run, intake), intake.spelled);
  };
}

async function answer(endpoint: Endpoint, handler: AnyHandler, intake: Intake): Promise<Response> {
  const admission = await guarded(endpoint, () => admit(endpoint, intake));
  if (!admission) return problem("idempotency_store_unavailable", { retryAfter: 1 });
  if (admission.kind !== "won") return answerStanding(endpoint, intake, admission);
  return answerRun(endpoint, handler, intake, admission.claim);
}

async function answerRun(endpoint: Endpoint, handler: AnyHandler, intake: Intake, claim: Claim): Promise<Response> {
  const run = prepareRun(endpoint, handler, intake, claim);
  const settled = await guarded(endpoint, () => execute(endpoint, intake, run));
  if (settled?.kind === "answer") return settled.response;
  // The row may say more than a lost claim or a failed statement: it was completed, or is being looked into.
  const reading = await guarded(endpoint, () => endpoint.store.read(endpoint.options.db, intake.operation));
  if (reading?.kind !== "held" || isStillOwn(reading.row, claim)) return pendingAnswer(endpoint, "outcome_unknown");
  return answerStanding(endpoint, intake, standingOf(reading, intake));
}

function isStillOwn(row: KeyRow, claim: Claim): boolean {
  return row.id === claim.id && row.state === "in_progress" && row.lockedUntil === claim.lockedUntil;
}

/** A failure of the store is an answer, never an exception; null after it was reported. */
async function guarded<T>({ options }: Endpoint, action: () => Promise<T>): Promise<T | null> {
  try {
    return await action();
  } catch (error) {
    options.report?.(error);
    return null;
  }
}

async function answerStanding(
  endpoint: Endpoint,
  intake: Intake,
  admission: Exclude<Admission, { kind: "won" }>,
): Promise<Response> {
  switch (admission.kind) {
    case "unavailable":
    case "incomparable":
      return problem("idempotency_store_unavailable", { retryAfter: 1 });
    case "limited":
      return problem("key_rate_limited", { retryAfter: Math.ceil(admission.retryAfterMs / 1000) });
    case "replayed": {
      const response = await replay(endpoint, intake, admission.row);
      if (!response) return problem("idempotency_store_unavailable", { retryAfter: 1 });
      return record(endpoint, intake, "replayed", admission.at, response);
    }
    case "conflict":
      return record(endpoint, intake, "conflict", admission.at, problem("request_in_progress", { retryAfter: 1 }));
    case "mismatch":
      return record(endpoint, intake, "mismatch", admission.at, problem("idempotency_key_reuse", { detail: reuse }));
    case "pending":
      return record(endpoint, intake, "pending", admission.at, pendingAnswer(endpoint, "outcome_pending"));
  }
}

const reuse = "Another request was sent under this key. Use a new key for a new operation.";

function pendingAnswer({ options }: Endpoint, code: "outcome_pending" | "outcome_unknown"): Response {
  const detail = "It may have happened. Ask again with the same key; do not send it under a new one.";
  return problem(code, { detail, retryAfter: options.pendingRetryAfter ?? defaultPendingRetryAfter });
}

async function replay(endpoint: Endpoint, intake: Intake, row: KeyRow) {
  const { keep, render } = endpoint.options;
  const options = { keyRing: keep?.keyRing, render };
  const response = await guarded(endpoint, () => replayResponse(row, intake.operation, options));
  response?.headers.set(replayedHeader, "true");
  return response;
}

function record(endpoint: Endpoint, intake: Intake, kind: AttemptKind, at: string, response: Response): Response {
  if (!endpoint.options.sink) return response;
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const more = {
    ...intake.facts,
    ...(kind === "replayed" && { replayed: true }),
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1000 }),
    responseStatus: response.status,
    durationMs: intake.elapsed(),
  };
  tellAttempt(endpoint, event(eventBase(endpoint, intake), kind, at, more));
  return response;
}

/** The loss of an attempt's event changes no answer. */
function tellAttempt({ options }: Endpoint, attempt: IdempotencyEvent): void {
  try {
    options.sink?.attempt(attempt);
  } catch (error) {
    options.report?.(error);
  }
}

/** Every answer to a valid key echoes it: a client that misses the echo knows something strips the header. */
function echo(response: Response, spelled: string): Response {
  try {
    response.headers.set(keyHeader, spelled);
    return response;
  } catch {
    // A response that came from fetch or Response.redirect has headers that cannot be changed.
    const { status, statusText, body } = response;
    const headers = new Headers(response.headers);
    headers.set(keyHeader, spelled);
    return new Response(body, { status, statusText, headers });
  }
}

/** Nothing was touched. A refusal that belongs to no tenant is nobody's event. */
function refuse(endpoint: Endpoint, refusal: Refusal, caller: Caller): Response {
  const { options } = endpoint;
  const response = problem(refusal.refused, refusal.more);
  if (response.status !== 401) {
    const operation = refusal.operation ?? { tenant: caller.tenant, endpoint: options.endpoint, key: "" };
    const more = { responseStatus: response.status, errorCode: refusal.refused };
    const at = new Date().toISOString().replace("Z", "000Z");
    const rejected = event({ operation, ...refusal.attempt, source: options.source }, "rejected", at, more);
    tellAttempt(endpoint, refusal.operation ? rejected : { ...rejected, keyHash: null });
  }
  return refusal.spelled === null ? response : echo(response, refusal.spelled);
}
