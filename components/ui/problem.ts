import type { ErrorCode } from "@/lib/http/errors";

/** What is told of each code: codes that mean the same to a reader share their sentences. */
const kinds = {
  malformed_request: "page_fault",
  validation_failed: "validation_failed",
  invalid_cursor: "invalid_cursor",
  step_too_fine: "validation_failed",
  idempotency_key_missing: "page_fault",
  idempotency_key_invalid: "page_fault",
  request_not_canonicalizable: "page_fault",
  not_signed_in: "not_signed_in",
  forbidden: "forbidden",
  origin_refused: "origin_refused",
  read_only: "read_only",
  not_found: "not_found",
  conflict: "conflict",
  request_in_progress: "in_progress",
  outcome_pending: "in_progress",
  request_too_large: "request_too_large",
  unsupported_media_type: "page_fault",
  idempotency_key_reuse: "page_fault",
  rate_limited: "rate_limited",
  key_rate_limited: "rate_limited",
  internal: "other",
  query_timeout: "query_timeout",
  database_unavailable: "database_unavailable",
  idempotency_store_unavailable: "database_unavailable",
} as const satisfies Record<ErrorCode, string>;

/** Codes beside those of the desk's own errors: the idempotency library's, and of a call without an answer. */
const otherKinds = { request_malformed: "page_fault", unreachable: "network" } as const;

type Kind = (typeof kinds)[keyof typeof kinds] | (typeof otherKinds)[keyof typeof otherKinds];

const kindOf: ReadonlyMap<string, Kind> = new Map<string, Kind>(Object.entries({ ...kinds, ...otherKinds }));

/** Kinds whose sentences are general: the answer's own detail, in English, says more. */
const detailed: ReadonlySet<Kind> = new Set<Kind>(["validation_failed", "conflict", "page_fault", "other"]);

export interface ShownProblem {
  /** Names the sentences under `problem` in the messages; a code nobody knows is `other`. */
  kind: Kind;
  /** In English; null where the sentences say it all. */
  detail: string | null;
  requestId: string | null;
}

/** Reads an error of the API client, or of the network below it. */
export function shownProblem(error: Error): ShownProblem {
  const code = textOf(error, "code");
  const kind = kindOf.get(code ?? "") ?? "other";
  const detail = code !== null && detailed.has(kind) ? error.message : null;
  return { kind, detail, requestId: textOf(error, "requestId") };
}

function textOf(error: Error, name: string): string | null {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : null;
}
