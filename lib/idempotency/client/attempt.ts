import { v4 } from "uuid";
import { readKey } from "../key-syntax";
import type { AttemptAnswer } from "./policy";
import { retryAfterMs } from "./retry-after";
import type { PendingOperation } from "./store";

/** One send of an operation and what came of it. */
export interface AttemptRecord {
  /** From 1. */
  number: number;
  /** Epoch ms by the client's clock. */
  startedAt: number;
  requestId: string;
  traceId: string;
  answer: AttemptAnswer;
  /** False when an answer came without the key: something between strips the header. Null without an answer. */
  keyEchoed: boolean | null;
  retryAfterMs: number | null;
}

export interface Sent {
  record: AttemptRecord;
  response: Response | null;
}

export interface Wire {
  fetch: typeof fetch;
  now: () => number;
  timeoutMs: number;
  headers: HeadersInit;
  /** Renames another API's problem codes, given the status and the parsed body. */
  readCode: (status: number, body: unknown) => string | null;
}

/** Sends the operation once, with a request id and a trace of its own: those identify the attempt, the key does not. */
export async function attempt(operation: PendingOperation, number: number, wire: Wire): Promise<Sent> {
  const requestId = v4();
  const traceId = v4().replaceAll("-", "");
  const headers = new Headers(wire.headers);
  headers.set("Idempotency-Key", operation.key);
  headers.set("X-Request-Id", requestId);
  headers.set("traceparent", `00-${traceId}-${v4().replaceAll("-", "").slice(16)}-01`);
  if (operation.body !== null) headers.set("Content-Type", operation.contentType);
  const startedAt = wire.now();
  const record = { number, startedAt, requestId, traceId };
  const signal = AbortSignal.timeout(wire.timeoutMs);
  const { method, url, body } = operation;
  try {
    // The body is read here too: an answer that breaks off in the middle is no answer.
    const response = await buffered(await wire.fetch(url, { method, headers, body, signal }));
    return { record: { ...record, ...(await readAnswer(operation, response, wire)) }, response };
  } catch {
    const answer = signal.aborted ? "timeout" : "network_error";
    return { record: { ...record, answer, keyEchoed: null, retryAfterMs: null }, response: null };
  }
}

async function buffered(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const content = await response.arrayBuffer();
  return new Response(content.byteLength > 0 ? content : null, { status, statusText, headers });
}

async function readAnswer(operation: PendingOperation, response: Response, wire: Wire) {
  const echoed = readKey(response.headers.get("Idempotency-Key") ?? "");
  const { status } = response;
  const replayed = response.headers.get("Idempotent-Replayed")?.toLowerCase() === "true";
  return {
    answer: { status, code: wire.readCode(status, await problemOf(response)), replayed },
    keyEchoed: echoed.ok && echoed.key === operation.key,
    retryAfterMs: retryAfterMs(response.headers, wire.now()),
  };
}

async function problemOf(response: Response): Promise<unknown> {
  if (!response.headers.get("Content-Type")?.includes("json")) return null;
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

/** The `code` member of a problem body. */
export function problemCode(_status: number, body: unknown): string | null {
  return typeof body === "object" && body !== null && "code" in body && typeof body.code === "string"
    ? body.code
    : null;
}
