import type { Facts } from "./events";
import type { Mode } from "./options";
import type { Sql } from "./sql";
import type { Claim, Operation } from "./store/rows";

/** One HTTP request carrying the key. */
export interface Attempt {
  requestId: string;
  /** From `traceparent`; undefined when there was none. */
  traceId: string | undefined;
}

export interface Context {
  /** The business row must keep these three, so that recovery can find it. */
  operation: Operation;
  claim: Claim;
  attempt: Attempt;
  principal: string | undefined;
  body: Buffer | null;
  /** The parsed body where it is JSON, otherwise undefined. */
  json: unknown;
  /** Adds facts to the events that follow, for example the provider's reference. */
  describe(facts: Facts): void;
  /** The key to send downstream for a step: the same on every attempt, and never the client's own. */
  downstreamKey(step: string): string;
}

export interface AtomicContext<Tx extends Sql> extends Context {
  /** Business writes made here commit together with the answer, or not at all. */
  tx: Tx;
}

export interface ExternalContext extends Context {
  /**
   * Calls a provider once under a step name, within `timeoutMs`. A row that says so is committed before the call; when
   * the claim or its lease no longer allow the call, it is not made and `EffectRefused` is thrown.
   */
  effect<T>(
    step: string,
    timeoutMs: number,
    call: (signal: AbortSignal, downstreamKey: string) => Promise<T>,
  ): Promise<T>;
}

export type ContextOf<M extends Mode, Tx extends Sql> = M extends "atomic"
  ? AtomicContext<Tx>
  : M extends "external"
    ? ExternalContext
    : Context;

export type Handler<M extends Mode, Tx extends Sql> = (
  request: Request,
  context: ContextOf<M, Tx>,
) => Promise<Response> | Response;

/** Who asks. The caller authenticates and authorises first, replays included: a key is no credential. */
export interface Caller {
  /** UUID. Without it the request is refused: there is no shared bucket. */
  tenant: string;
  principal?: string | undefined;
}
