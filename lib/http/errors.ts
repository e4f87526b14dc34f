/** What each code means on the wire. `retryable`: the same request may succeed later without a change. */
const codes = {
  malformed_request: { status: 400, title: "The request is malformed", retryable: false },
  validation_failed: { status: 400, title: "The request is not valid", retryable: false },
  invalid_cursor: { status: 400, title: "The cursor is not valid for this list", retryable: false },
  step_too_fine: { status: 400, title: "The step is too fine for this range", retryable: false },
  idempotency_key_missing: { status: 400, title: "An Idempotency-Key is required", retryable: false },
  idempotency_key_invalid: { status: 400, title: "The Idempotency-Key is not valid", retryable: false },
  request_not_canonicalizable: { status: 400, title: "The body cannot be fingerprinted", retryable: false },
  not_signed_in: { status: 401, title: "Not signed in", retryable: false },
  forbidden: { status: 403, title: "No right for this", retryable: false },
  origin_refused: { status: 403, title: "The request did not come from the desk", retryable: false },
  read_only: { status: 403, title: "The desk is read-only", retryable: false },
  not_found: { status: 404, title: "Not found", retryable: false },
  conflict: { status: 409, title: "Changed meanwhile", retryable: false },
  request_in_progress: { status: 409, title: "The first request is still running", retryable: true },
  outcome_pending: { status: 409, title: "The outcome is not confirmed yet", retryable: true },
  request_too_large: { status: 413, title: "The request is too large", retryable: false },
  unsupported_media_type: { status: 415, title: "The media type is not supported", retryable: false },
  idempotency_key_reuse: { status: 422, title: "The key belongs to another request", retryable: false },
  rate_limited: { status: 429, title: "Too many requests", retryable: true },
  key_rate_limited: { status: 429, title: "Too many new keys", retryable: true },
  internal: { status: 500, title: "Something went wrong on our side", retryable: false },
  query_timeout: { status: 503, title: "The query took too long", retryable: true },
  database_unavailable: { status: 503, title: "The database is not reachable", retryable: true },
  idempotency_store_unavailable: { status: 503, title: "The key store is not reachable", retryable: true },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

export type ErrorCode = keyof typeof codes;

/** One place in the request that is wrong, by JSON Pointer into `body`, `query` or `params`. */
export interface FieldError {
  pointer: string;
  detail: string;
}

interface AppErrorOptions {
  errors?: FieldError[];
  /** Members of the problem beside the standard ones, for example the winner of a conflict. */
  extra?: Record<string, unknown>;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error of the application. Its detail is written for the caller and never holds a secret or database text. */
export class AppError extends Error {
  override name = "AppError";
  readonly errors: FieldError[] | undefined;
  readonly extra: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    detail?: string,
    { errors, extra, retryAfterSeconds, cause }: AppErrorOptions = {},
  ) {
    super(detail ?? codes[code].title, { cause });
    this.errors = errors;
    this.extra = extra;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return codes[this.code].status;
  }

  get title(): string {
    return codes[this.code].title;
  }

  get retryable(): boolean {
    return codes[this.code].retryable;
  }
}

/** Another tenant's object and a missing one: the same answer to the byte, so that neither tells of the other. */
export function notFound(): AppError {
  return new AppError("not_found", "There is no such object, or it is not in your reach.");
}

export const errorCodes = Object.keys(codes) as ErrorCode[];
