import { z } from "zod";
import { Amount, BigintId, Digest, Params, Time } from "./values";

const attemptOutcomes = [
  "executed",
  "running",
  "released",
  "failed",
  "unknown",
  "replayed",
  "conflict",
  "pending",
  "mismatch",
  "rejected",
] as const;

export const Attempt = z.object({
  eventId: z.string(),
  /** The database's time of the attempt; for a sender without one, its own. */
  at: Time,
  receivedAt: Time,
  /** Since the attempt before; null for the first. */
  gapMs: z.number().nullable(),
  requestId: z.string().nullable(),
  traceId: z.string().nullable(),
  outcome: z.enum(attemptOutcomes),
  status: z.int().nullable(),
  durationMs: z.int().nullable(),
  retryAfterMs: z.int().nullable(),
  errorCode: z.string().nullable(),
  source: z.string().nullable(),
  /** Which run of the key it belongs to, from 1: a lapsed key that is used again starts the next. */
  generation: z.int(),
});

/** A change of state, or the desk's own act. `from` is null at the start, `to` where the claim was released. */
export const Transition = z.object({
  eventId: z.string(),
  at: Time,
  kind: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  source: z.string().nullable(),
  generation: z.int(),
});

export const Twin = z.object({
  endpoint: z.string(),
  keyHash: Digest,
  /** Null when its row is gone. */
  keyId: BigintId.nullable(),
  createdAt: Time,
  state: z.string().nullable(),
  responseStatus: z.int().nullable(),
  /** It ran and was answered 2xx. */
  executed: z.boolean(),
  /** What it shares with this operation. */
  shares: z.enum(["fingerprint", "customer", "reference"]),
  amount: Amount.nullable(),
  currency: z.string().nullable(),
});

export const hintCodes = [
  "retried_mismatch",
  "ignored_retry_after",
  "new_key_per_attempt",
  "attempt_id_as_key",
  "key_as_attempt_id",
  "weak_key",
  "retries_outlived_ttl",
  "attempts_after_answer",
  "header_stripped",
] as const;

/** A rule of the contract that the client broke, and the events that show it. */
export const Hint = z.object({
  code: z.enum(hintCodes),
  params: Params,
  text: z.string(),
  eventIds: z.array(z.string()),
});

/** One run of the key. The last is what the row says now; an earlier one lapsed before the key was used again. */
export const Generation = z.object({
  number: z.int(),
  keyId: BigintId.nullable(),
  startedAt: Time,
  lockedUntil: Time.nullable(),
  expiresAt: Time.nullable(),
  state: z.string().nullable(),
  responseStatus: z.int().nullable(),
});

export const Chain = z.object({
  tenantId: z.string(),
  endpoint: z.string(),
  keyHash: Digest,
  keyId: BigintId.nullable(),
  now: Time,
  attempts: z.array(Attempt),
  transitions: z.array(Transition),
  generations: z.array(Generation),
  twins: z.array(Twin),
  nearTwins: z.array(Twin),
  hints: z.array(Hint),
  /** False where a bound cut the list, or no event stream covers the operation. */
  complete: z.boolean(),
});

export type Attempt = z.infer<typeof Attempt>;
export type AttemptOutcome = Attempt["outcome"];
export type Transition = z.infer<typeof Transition>;
export type Twin = z.infer<typeof Twin>;
export type Hint = z.infer<typeof Hint>;
export type HintCode = Hint["code"];
export type Generation = z.infer<typeof Generation>;
export type Chain = z.infer<typeof Chain>;
