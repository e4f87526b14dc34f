import type { Pen } from "./pen";

/** What the desk should say of every key a kind of client uses, by the rules for verdicts and hints. */
export interface Expected {
  verdict: VerdictCode;
  hints: readonly HintCode[];
  /** Charges (or refunds) that the provider really made under one key. */
  charges: number;
}

type VerdictCode =
  | "unknown"
  | "stuck"
  | "in_progress"
  | "possibly_repeated"
  | "expired_then_reused"
  | "declined"
  | "errored"
  | "executed_once"
  | "released"
  | "refused_only"
  | "cleaned";

type HintCode =
  | "retried_mismatch"
  | "ignored_retry_after"
  | "new_key_per_attempt"
  | "attempt_id_as_key"
  | "key_as_attempt_id"
  | "weak_key"
  | "retries_outlived_ttl"
  | "attempts_after_answer"
  | "header_stripped";

export type Resource = "payments" | "refunds";

/** One HTTP request that a client means to send, `atMs` after its story began, whatever the earlier ones got. */
export interface PlannedAttempt {
  atMs: number;
  resource: Resource;
  /** Null where something on the way strips the header. */
  key: string | null;
  body: string;
  requestId: string;
  traceparent: string;
  /** The `Sandbox-Fault` header. */
  fault: string | null;
}

/** A kind of client: how it behaves, how common it is, and what the desk must make of it. */
export interface ClientKind {
  name: string;
  /** Share of all stories, in ten thousandths. */
  weight: number;
  expected: Expected;
  /** Told so late that it is still open when history ends: this long before the end, in ms. */
  openAtEndMs?: number;
  tell(pen: Pen): PlannedAttempt[];
}
