import { admit, standingOf } from "./admit";
import type { Caller, Handler } from "./context";
import { compileEndpoint, type Endpoint } from "./endpoint";
import { event } from "./events";
import { guarded, tellAttempt } from "./guarded";
import { type Intake, type Refusal, takeIn } from "./intake";
import { keyHeader } from "./key-header";
import type { IdempotentOptions, Mode } from "./options";
import { problem, unconfirmed } from "./response/answers";
import { withHeader } from "./response/with-header";
import { type AnyHandler, prepareRun } from "./run";
import { execute } from "./settle";
import type { Sql } from "./sql";
import { answerStanding } from "./standing";
import type { Claim, KeyRow } from "./store/rows";

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
  if (reading?.kind !== "held" || !hasMovedOn(reading.row, claim)) {
    return unconfirmed("outcome_unknown", endpoint.options.pendingRetryAfter);
  }
  return answerStanding(endpoint, intake, standingOf(reading, intake));
}

/** Only its own row, no longer in its hands, says how a run ended; a later claim of the key is another operation's. */
function hasMovedOn(row: KeyRow, claim: Claim): boolean {
  return row.id === claim.id && (row.state !== "in_progress" || row.lockedUntil !== claim.lockedUntil);
}

/** Every answer to a valid key echoes it: a client that misses the echo knows something strips the header. */
function echo(response: Response, spelled: string): Response {
  return withHeader(response, keyHeader, spelled);
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
