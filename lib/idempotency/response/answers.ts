/** The problem codes of the contract. Stable: clients go by them before the status. */
export type ProblemCode =
  | "idempotency_key_missing"
  | "idempotency_key_invalid"
  | "request_not_canonicalizable"
  | "request_malformed"
  | "request_too_large"
  | "tenant_required"
  | "principal_required"
  | "key_rate_limited"
  | "idempotency_key_reuse"
  | "request_in_progress"
  | "outcome_pending"
  | "outcome_unknown"
  | "idempotency_store_unavailable"
  | "internal_error";

interface Shape {
  status: number;
  retryable: boolean;
  title: string;
}

const shapes: Record<ProblemCode, Shape> = {
  idempotency_key_missing: { status: 400, retryable: false, title: "An idempotency key is required" },
  idempotency_key_invalid: { status: 400, retryable: false, title: "The idempotency key is not valid" },
  request_not_canonicalizable: { status: 400, retryable: false, title: "The request body cannot be fingerprinted" },
  request_malformed: { status: 400, retryable: false, title: "The request cannot be read" },
  request_too_large: { status: 413, retryable: false, title: "The request body is too large" },
  tenant_required: { status: 401, retryable: false, title: "The request belongs to no tenant" },
  principal_required: { status: 401, retryable: false, title: "The request names no principal" },
  key_rate_limited: { status: 429, retryable: true, title: "Too many new idempotency keys" },
  idempotency_key_reuse: { status: 422, retryable: false, title: "The key was used for another request" },
  request_in_progress: { status: 409, retryable: true, title: "The first request with this key is still running" },
  outcome_pending: { status: 409, retryable: true, title: "The outcome of this operation is being confirmed" },
  outcome_unknown: { status: 502, retryable: true, title: "The outcome of this operation is not confirmed" },
  idempotency_store_unavailable: { status: 503, retryable: true, title: "The idempotency store is unavailable" },
  internal_error: { status: 500, retryable: true, title: "The request could not be carried out" },
};

export interface ProblemMore {
  detail?: string;
  /** Further members, such as the rule that was broken. */
  rule?: string;
  /** Seconds. */
  retryAfter?: number;
}

/** An RFC 9457 problem; `retryable` means with the same key. */
export function problem(code: ProblemCode, { retryAfter, ...more }: ProblemMore = {}): Response {
  const { status, retryable, title } = shapes[code];
  const headers = new Headers({ "Content-Type": "application/problem+json", "Cache-Control": "no-store" });
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  return new Response(JSON.stringify({ type: "about:blank", title, status, code, retryable, ...more }), {
    status,
    headers,
  });
}

/** Seconds: long enough for a first look at the provider. */
const defaultPendingRetryAfter = 5;

/** It may have happened: said to the first attempt (`outcome_unknown`) and to every later one (`outcome_pending`). */
export function unconfirmed(
  code: "outcome_unknown" | "outcome_pending",
  retryAfter = defaultPendingRetryAfter,
): Response {
  const detail = "It may have happened. Ask again with the same key; do not send it under a new one.";
  return problem(code, { detail, retryAfter });
}
