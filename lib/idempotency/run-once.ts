import type { Handler } from "./context";
import { type IdempotentHandler, idempotent } from "./handler";
import { keyHeader } from "./key-header";
import type { IdempotentOptions, Mode } from "./options";
import { bodyNotKept } from "./response/replay";
import type { Sql } from "./sql";
import { replayedHeader } from "./standing";

/** Whose operation a job is: the same scope a request has. */
export interface JobScope {
  tenant: string;
  principal?: string;
}

export interface JobResult {
  /** Parsed JSON of what the one run returned; null when it was not kept. */
  result: unknown;
  /** True for every delivery but the one that ran. */
  replayed: boolean;
}

/** A delivery that got no result. `retryable` ones belong back in the queue under the same key. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";

  constructor(
    readonly code: string,
    readonly retryable: boolean,
    readonly status: number,
  ) {
    super(`The job was not run: ${code}`);
  }
}

export type RunOnce = (scope: JobScope, key: string, payload: unknown) => Promise<JobResult>;

/**
 * The contract for internal callers and queue workers, through the same door as a request: same key rules, same
 * fingerprint (of the payload as JSON), same states. What the handler returns is stored as JSON and given to every delivery.
 */
export function runOnce<M extends Mode, Tx extends Sql = Sql>(
  options: IdempotentOptions<M, Tx>,
  handler: (payload: unknown, context: Parameters<Handler<M, Tx>>[1]) => Promise<unknown>,
): RunOnce {
  const handle = idempotent<M, Tx>(options, async (_, context) =>
    Response.json((await handler(context.json, context)) ?? null),
  );
  return (scope, key, payload) => deliver(handle, options.endpoint, scope, key, payload);
}

async function deliver(
  handle: IdempotentHandler,
  endpoint: string,
  scope: JobScope,
  key: string,
  payload: unknown,
): Promise<JobResult> {
  const [method, path] = endpoint.split(" ");
  const request = new Request(new URL(path ?? "/", "http://job.invalid"), {
    method: method ?? "POST",
    headers: { [keyHeader]: key, "Content-Type": "application/json" },
    body: JSON.stringify(payload ?? null),
  });
  const response = await handle(request, scope);
  const replayed = response.headers.get(replayedHeader) === "true";
  const body: unknown = await response.json();
  if (response.headers.get("Content-Type") !== "application/problem+json") return { result: body, replayed };
  const refusal = refusalOf(body, response.status);
  if (refusal.code === bodyNotKept) return { result: null, replayed };
  throw refusal;
}

function refusalOf(body: unknown, status: number): JobRefused {
  const { code, retryable } = Object(body) as { code?: unknown; retryable?: unknown };
  return new JobRefused(typeof code === "string" ? code : "internal_error", retryable === true, status);
}
