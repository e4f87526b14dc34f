import type { Context, ContextOf } from "./context";
import { downstreamKey, type Effects, trackEffects } from "./effects";
import type { Endpoint } from "./endpoint";
import type { Intake } from "./intake";
import type { Mode } from "./options";
import { Abandoned, EffectRefused, NotExecuted, OutcomeUnknown } from "./outcomes";
import { defaultMemory } from "./remember";
import { withBody } from "./request-body";
import { problem } from "./response/answers";
import type { Sql } from "./sql";
import type { Claim } from "./store/rows";

/** How a run of the handler ended, before the row is told. */
export type Outcome =
  | { kind: "store"; response: Response }
  | { kind: "release"; response: Response }
  | { kind: "unknown" }
  | { kind: "abandon"; response: Response };

/** One run of the handler by the claim's owner. */
export interface Run {
  claim: Claim;
  effects: Effects;
  /** Calls the handler; `tx` is there in atomic mode only. Never throws: what is thrown becomes an outcome. */
  call(tx: Sql | null): Promise<Outcome>;
}

export type AnyHandler = (request: Request, context: ContextOf<Mode, Sql>) => Promise<Response> | Response;

export function prepareRun(endpoint: Endpoint, handler: AnyHandler, intake: Intake, claim: Claim): Run {
  const effects = trackEffects(endpoint, intake, claim);
  const context = contextOf(intake, claim);
  return {
    claim,
    effects,
    async call(tx) {
      try {
        const response = await handler(
          withBody(intake.request, intake.body),
          Object.assign(context, { tx, effect: effects.run }),
        );
        return ofResponse(endpoint, response, effects);
      } catch (error) {
        return ofError(endpoint, error, effects);
      }
    },
  };
}

function contextOf(intake: Intake, claim: Claim): Context {
  return {
    operation: intake.operation,
    claim,
    attempt: intake.attempt,
    principal: intake.caller.principal,
    body: intake.body,
    json: intake.json,
    describe: (facts) => Object.assign(intake.facts, facts),
    downstreamKey: (step) => downstreamKey(intake.operation, step),
  };
}

function ofResponse({ options }: Endpoint, response: Response, effects: Effects): Outcome {
  const started = effects.started();
  const memory = options.remember?.(response, started) ?? defaultMemory(response.status, options.mode, started);
  return memory === "unknown" ? { kind: "unknown" } : { kind: memory, response };
}

/**
 * An error releases the claim only where it is proved that nothing happened: the handler says so before any effect, or
 * the atomic transaction is rolled back, or an external endpoint has started no effect. Any other leaves it unknown.
 */
function ofError({ options }: Endpoint, error: unknown, effects: Effects): Outcome {
  if (error instanceof Abandoned) return { kind: "abandon", response: error.response };
  const declared = error instanceof NotExecuted || options.releases?.(error);
  if (!declared) options.report?.(error);
  const proved = declared || error instanceof EffectRefused || options.mode !== "separate";
  if (effects.started() || !proved || error instanceof OutcomeUnknown) return { kind: "unknown" };
  return { kind: "release", response: errorResponse(options.toResponse, error) };
}

function errorResponse(toResponse: ((error: unknown) => Response) | undefined, error: unknown): Response {
  if (error instanceof NotExecuted) return error.response;
  return toResponse?.(error) ?? problem("internal_error");
}
