import { randomUUID } from "node:crypto";
import { AppError } from "./errors";

/** Letters, digits and marks that no log or header can trip over. */
const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's X-Request-Id where it is one we can repeat safely, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && saneRequestId.test(given) ? given : randomUUID();
}

/** Query parameters by name; a repeated one is refused, since two readers would each take another. */
export function queryOf(url: string): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URL(url).searchParams) {
    if (query.has(name)) {
      throw new AppError("validation_failed", "A query parameter is given more than once.", {
        errors: [{ pointer: `/query/${name}`, detail: "given more than once" }],
      });
    }
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

/** Reads the body, at most `limit` bytes of it: counting while reading, because Content-Length may be absent or wrong. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

function tooLarge(limit: number): AppError {
  return new AppError("request_too_large", `The body is larger than ${limit} bytes.`);
}

/** The JSON value a body holds. Only JSON's own media types are read: a form of another site cannot send them. */
export function jsonOf(headers: Headers, body: Uint8Array): unknown {
  const mediaType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^application\/([a-z0-9.+-]+\+)?json$/.test(mediaType)) {
    throw new AppError("unsupported_media_type", "Send the body as application/json.");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError("malformed_request", "The body is not JSON in UTF-8.", { cause });
  }
}

/**
 * Where a request came from, as the nearest proxy saw it: the last entry is the only one a client cannot write.
 * Without a proxy in front the server itself fills the header in, where the client sent none.
 */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}
