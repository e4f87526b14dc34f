import type { KeyRow, Operation } from "../store/rows";
import { isSealed, type KeyRing, openBody } from "./envelope";
import { mayKeep } from "./headers";

/** Makes the answer anew from what the row keeps, where a body must not be stored (short-lived URLs, tokens). */
export type Render = (stored: {
  status: number;
  headers: Headers;
  operation: Operation;
}) => Promise<Response> | Response;

/** The code of a replay whose original body is gone: the operation is done, its answer's content is not known. */
export const bodyNotKept = "response_body_not_kept";

const withoutContent = new Set([101, 204, 205, 304]);

/** The stored response of a completed row, as the first client got it, without its transfer encoding. */
export async function replayResponse(
  row: KeyRow,
  operation: Operation,
  options: { keyRing?: KeyRing | undefined; render?: Render | undefined },
): Promise<Response> {
  const status = row.status ?? 200;
  const headers = new Headers(readHeaders(row.headers));
  if (options.render) return options.render({ status, headers, operation });
  if (withoutContent.has(status)) return new Response(null, { status, headers });
  if (row.body === null) return notKept(status, headers);
  return new Response(new Uint8Array(open(row.body, operation, options.keyRing)), { status, headers });
}

function open(body: Uint8Array, operation: Operation, ring: KeyRing | undefined): Uint8Array {
  if (!isSealed(body)) return body;
  if (!ring) throw new Error("A stored body is sealed and no key ring is configured");
  return openBody(body, ring, operation);
}

/** The status still says what happened; the body says that it is not the original one. */
function notKept(status: number, headers: Headers): Response {
  headers.set("Content-Type", "application/problem+json");
  const body = {
    type: "about:blank",
    title: "The answer to this operation was not kept",
    status,
    code: bodyNotKept,
    retryable: false,
    detail: "The operation ran once and ended with this status. It was not run again.",
  };
  return new Response(JSON.stringify(body), { status, headers });
}

/** Rows of other writers hold null, an object, or an array of pairs. */
function readHeaders(stored: unknown): [string, string][] {
  const pairs: unknown[] = Array.isArray(stored) ? stored : Object.entries(stored ?? {});
  return pairs.filter(isPair).filter(([name]) => mayKeep(name));
}

function isPair(pair: unknown): pair is [string, string] {
  return Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");
}
