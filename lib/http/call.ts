import "server-only";
import { endpointOf } from "./definition";
import type { AppError } from "./errors";
import { logger } from "./logger";
import { problemBody, toAppError } from "./problem";
import { requestIdOf } from "./request";

/** One request on its way through the wrapper. */
export interface Call {
  requestId: string;
  /** Method and route template: what logs and the audit name, since a path may hold an id. */
  endpoint: string;
  /** Who was found to ask; null until then. */
  principalId: string | null;
  /** Headers the answer gets beside its own, for example a renewed session. */
  headers: Headers;
}

/** Runs one request to its answer, whatever happens: errors become problems, every answer is private and logged once. */
export async function serve(
  definition: { method: string; path: string },
  request: Request,
  run: (call: Call) => Promise<Response>,
): Promise<Response> {
  const started = performance.now();
  const endpoint = endpointOf(definition);
  const call: Call = { requestId: requestIdOf(request.headers), endpoint, principalId: null, headers: new Headers() };
  const response = await run(call).catch((error: unknown) => problemResponse(toAppError(error), call));
  finish(response, call);
  const { requestId, principalId } = call;
  logger().info({
    requestId,
    endpoint,
    principalId,
    status: response.status,
    ms: Math.round(performance.now() - started),
  });
  return response;
}

/** An error's answer. What only we can mend is logged as an error; what was expected is not. */
export function problemResponse(error: AppError, call: Call): Response {
  const { requestId, endpoint } = call;
  if (error.code === "internal") logger().error({ requestId, endpoint, error: error.cause });
  else if (error.status === 503) logger().warn({ requestId, endpoint, error: error.cause }, error.code);
  const headers = new Headers({ "Content-Type": "application/problem+json" });
  if (error.retryAfterSeconds !== undefined) headers.set("Retry-After", String(error.retryAfterSeconds));
  if (error.code === "not_signed_in") headers.set("WWW-Authenticate", "Bearer");
  return new Response(JSON.stringify(problemBody(error, requestId)), { status: error.status, headers });
}

function finish({ headers }: Response, call: Call): void {
  headers.set("X-Request-Id", call.requestId);
  headers.set("Cache-Control", "private, no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  for (const [name, value] of call.headers) headers.append(name, value);
}
