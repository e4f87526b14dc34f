import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { problem } from "./response/answers";

export type Route = (request: Request, incoming: IncomingMessage) => Promise<Response>;

/**
 * Serves a route through `node:http`. No request ends the process: what cannot be read is a 400, what the route throws
 * is reported and a 500, and a client that hangs up only loses its answer.
 */
export function nodeListener(route: Route, report?: (error: unknown) => void): RequestListener {
  return (incoming, outgoing) => {
    answer(incoming, route, report)
      .then((response) => sendResponse(outgoing, response))
      .catch((error: unknown) => report?.(error));
  };
}

async function answer(incoming: IncomingMessage, route: Route, report?: (error: unknown) => void): Promise<Response> {
  const request = readRequest(incoming);
  if (!request) return problem("request_malformed");
  try {
    return await route(request, incoming);
  } catch (error) {
    report?.(error);
    return problem("internal_error");
  }
}

/** HTTP lets through targets and methods that no web Request can have. */
function readRequest(incoming: IncomingMessage): Request | null {
  try {
    return toRequest(incoming);
  } catch {
    return null;
  }
}

/**
 * A `node:http` request as a web Request. Repeated headers stay visible: they are joined, never dropped.
 * Throws TypeError for a target or method that no web Request can have.
 */
export function toRequest(incoming: IncomingMessage, origin = "http://localhost"): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
  }
  const hasBody = "content-length" in incoming.headers || "transfer-encoding" in incoming.headers;
  const url = new URL(incoming.url ?? "/", origin);
  const body = hasBody ? Readable.toWeb(incoming) : null;
  const init = { method: incoming.method ?? "GET", headers, body, duplex: "half" };
  return new Request(url, init as RequestInit);
}

/** Sends a web Response through `node:http`. A client that has hung up is no error: the row keeps its answer. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (!response.body) {
    outgoing.end();
    return;
  }
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
  } catch (error) {
    if (!isHangUp(error)) throw error;
  }
}

const hangUps = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED", "ECONNRESET", "EPIPE"]);

function isHangUp(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && hangUps.has(error.code);
}
