import type { Operation, StoredResponse } from "../store/rows";
import { decodeContent } from "./encoding";
import { type KeyRing, sealBody } from "./envelope";
import { alwaysKept } from "./headers";
import { defaultBodyBytes } from "./limits";
import { readLimited } from "./read";

/** How an endpoint's responses are kept. */
export interface KeepRules {
  /** Headers kept besides Content-Type, Location, ETag and Content-Language. */
  headers?: readonly string[];
  /** Uncompressed bytes; 64 KiB by default, 256 KiB at most. A longer body is answered once and not kept. */
  maxBytes?: number;
  /** Seals bodies at rest. Without it they are stored as they are. */
  keyRing?: KeyRing;
  /** False for answers that hold one-time tokens or short-lived URLs: only their status and headers are kept. */
  body?: boolean;
}

/** The response to send now, and what of it the row keeps. */
export interface Packed {
  response: Response;
  stored: StoredResponse;
}

export async function packResponse(response: Response, operation: Operation, rules: KeepRules): Promise<Packed> {
  const kept = new Set([...alwaysKept, ...(rules.headers ?? []).map((name) => name.toLowerCase())]);
  const headers = [...response.headers].filter(([name]) => kept.has(name));
  const limit = rules.maxBytes ?? defaultBodyBytes;
  const { bytes, rest } = response.body
    ? await readLimited(response.body, limit)
    : { bytes: Buffer.alloc(0), rest: null };
  const identity = bytes && rules.body !== false ? await decodeContent(bytes, encodingOf(response), limit) : null;
  const { status, statusText } = response;
  const body = response.body ? (rest ?? new Uint8Array(bytes)) : null;
  return {
    response: new Response(body, { status, statusText, headers: response.headers }),
    stored: { status, headers, body: identity && keep(identity, operation, rules) },
  };
}

function encodingOf(response: Response): string | null {
  return response.headers.get("content-encoding");
}

/** An answer without content stays zero bytes, so that it is told apart from a body that was not kept. */
function keep(body: Buffer, operation: Operation, { keyRing }: KeepRules): Buffer {
  return keyRing && body.length > 0 ? sealBody(body, keyRing, operation) : body;
}
