import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** A `node:http` request as a web Request. Repeated headers stay visible: they are joined, never dropped. */
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

/** Sends a web Response through `node:http`. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (!response.body) {
    outgoing.end();
    return;
  }
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}
