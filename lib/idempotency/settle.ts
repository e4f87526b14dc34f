import { change, type Endpoint } from "./endpoint";
import { event, type IdempotencyEvent } from "./events";
import { eventBase, type Intake } from "./intake";
import { problem, unconfirmed } from "./response/answers";
import { type Packed, packResponse } from "./response/pack";
import type { Outcome, Run } from "./run";
import type { Sql } from "./sql";

/** What the first request is answered, or `lost`: the claim no longer held, so the row speaks instead. */
export type Settled = { kind: "answer"; response: Response } | { kind: "lost" };

/** Runs the handler once and tells the row how it ended. */
export function execute(endpoint: Endpoint, intake: Intake, run: Run): Promise<Settled> {
  return endpoint.options.mode === "atomic"
    ? executeAtomic(endpoint, intake, run)
    : executeApart(endpoint, intake, run);
}

async function executeApart(endpoint: Endpoint, intake: Intake, run: Run): Promise<Settled> {
  const outcome = await run.call(null);
  if (outcome.kind !== "store") return conclude(endpoint, intake, run, outcome);
  const packed = await pack(endpoint, intake, outcome.response);
  const at = await change(endpoint.options, (tx) => complete(endpoint, intake, run, packed, tx));
  return at === null ? lose(endpoint, run, packed) : { kind: "answer", response: packed.response };
}

/** Business write and stored answer commit together. Whatever ends otherwise rolls both back first. */
async function executeAtomic(endpoint: Endpoint, intake: Intake, run: Run): Promise<Settled> {
  const { options } = endpoint;
  let ready = false;
  try {
    const packed = await options.db.transaction(async (tx) => {
      const outcome = await run.call(tx);
      if (outcome.kind !== "store") throw new RolledBack(outcome);
      const made = await pack(endpoint, intake, outcome.response);
      if ((await complete(endpoint, intake, run, made, tx)) === null) throw new ClaimLost(made);
      ready = true;
      return made;
    });
    return { kind: "answer", response: packed.response };
  } catch (error) {
    if (error instanceof RolledBack) return conclude(endpoint, intake, run, error.outcome);
    if (error instanceof ClaimLost) return lose(endpoint, run, error.packed);
    options.report?.(error);
    // Until COMMIT was sent, a failure is a rollback; after that nobody can tell, and recovery will look.
    if (ready) return { kind: "answer", response: unconfirmed("outcome_unknown", options.pendingRetryAfter) };
    return conclude(endpoint, intake, run, { kind: "release", response: problem("internal_error") });
  }
}

class RolledBack extends Error {
  constructor(readonly outcome: Exclude<Outcome, { kind: "store" }>) {
    super(`Rolled back: ${outcome.kind}`);
  }
}

class ClaimLost extends Error {
  constructor(readonly packed: Packed) {
    super("The claim no longer holds");
  }
}

/** Outcomes that store no answer. */
async function conclude(
  endpoint: Endpoint,
  intake: Intake,
  { claim }: Run,
  outcome: Exclude<Outcome, { kind: "store" }>,
): Promise<Settled> {
  if (outcome.kind === "abandon") return { kind: "answer", response: outcome.response };
  const { options, store } = endpoint;
  const response =
    outcome.kind === "release" ? outcome.response : unconfirmed("outcome_unknown", options.pendingRetryAfter);
  const at = await change(options, async (tx) => {
    if (outcome.kind === "release") {
      const released = await store.release(tx, claim);
      return emit(endpoint, intake, tx, released, "released", { responseStatus: response.status });
    }
    const marked = await store.mark(tx, claim, "in_progress", "unknown");
    return emit(endpoint, intake, tx, marked, "marked_unknown", { state: "unknown", responseStatus: response.status });
  });
  return at === null ? { kind: "lost" } : { kind: "answer", response };
}

function pack({ options }: Endpoint, intake: Intake, response: Response): Promise<Packed> {
  return packResponse(response, intake.operation, options.keep ?? {});
}

async function complete(endpoint: Endpoint, intake: Intake, run: Run, { stored }: Packed, tx: Sql) {
  const at = await endpoint.store.complete(tx, run.claim, stored, "in_progress");
  return emit(endpoint, intake, tx, at, "completed", { state: "completed", responseStatus: stored.status });
}

async function emit(
  endpoint: Endpoint,
  intake: Intake,
  tx: Sql,
  at: string | null,
  kind: IdempotencyEvent["kind"],
  more: Partial<IdempotencyEvent>,
): Promise<string | null> {
  const { sink } = endpoint.options;
  if (at === null || !sink) return at;
  const all = { ...intake.facts, ...more, durationMs: intake.elapsed() };
  await sink.inTransaction(tx, [event(eventBase(endpoint, intake), kind, at, all)]);
  return at;
}

async function lose({ options }: Endpoint, { claim }: Run, { stored }: Packed): Promise<Settled> {
  await options.onLateResult?.({ claim, response: stored });
  return { kind: "lost" };
}
