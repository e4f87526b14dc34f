import { isJson, mediaType } from "./fingerprint/body";
import { readLimited } from "./response/read";

export type BodyTrouble = "too_large" | "unreadable";

/**
 * Null for no body. On the wire an empty body and none look alike (`Content-Length: 0`); a request that names a media
 * type has sent an empty body of that type, one that names none has sent no body.
 */
export async function readBody(request: Request, limit: number): Promise<Buffer | null | BodyTrouble> {
  if (!request.body) return null;
  try {
    const { bytes } = await readLimited(request.body, limit);
    if (bytes === null) return "too_large";
    return bytes.length === 0 && !request.headers.has("Content-Type") ? null : bytes;
  } catch {
    return "unreadable";
  }
}

/**
 * The request again with its body unread, for the handler. It does not carry the client's abort signal: who hangs up
 * must not stop a run that is already claimed.
 */
export function withBody(request: Request, body: Buffer | null): Request {
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: body && new Uint8Array(body) });
}

/** Undefined for what is no JSON. The strict parser has accepted it already; this one loses digits past 2^53. */
export function parseBody(request: Request, body: Buffer | null): unknown {
  const type = mediaType(request.headers.get("Content-Type") ?? "");
  if (!body?.length || !isJson(type)) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
