import { z } from "zod";
import { TenantId } from "@/lib/http/shapes";
import { Amount, BigintId, Digest, Params, Sentence, Time } from "./values";

/** The four states of the contract. A row may hold any other text, which is shown as it is. */
export const knownStates = ["in_progress", "completed", "failed", "unknown"] as const;

/** live: answers for its key; lapsed: completed and past its expiry; cleaned: the row is gone, events remain. */
export const Phase = z.enum(["live", "lapsed", "cleaned"]);

/** How a search found an operation: the names are those of the search's own input. */
export const MatchedAs = z.enum([
  "id",
  "key",
  "keyHash",
  "keyHashPrefix",
  "fingerprint",
  "requestId",
  "traceId",
  "providerReference",
  "reference",
  "customer",
  "amount",
]);

export const KeySummary = z.object({
  /** Null when the row is gone and events alone remain. */
  id: BigintId.nullable(),
  tenantId: TenantId,
  endpoint: z.string(),
  /** Invisible and bidirectional characters escaped; null when the row is gone. */
  keyMasked: z.string().nullable(),
  keyHash: Digest,
  fingerprint: z.string().nullable(),
  /** Any text; null when the row is gone and no event said it. */
  state: z.string().nullable(),
  phase: Phase,
  /** `in_progress` with its lease past by the database clock. */
  stuck: z.boolean(),
  responseStatus: z.int().nullable(),
  /** Stored bytes (compressed and encrypted where the service does so). */
  bodyBytes: z.int().nullable(),
  lockedUntil: Time.nullable(),
  createdAt: Time,
  expiresAt: Time.nullable(),
  matchedAs: MatchedAs.optional(),
});

export const verdictCodes = [
  "unrecognised",
  "unknown",
  "stuck",
  "failed",
  "in_progress",
  "possibly_repeated",
  "expired_then_reused",
  "declined",
  "errored",
  "executed_once",
  "released",
  "refused_only",
  "cleaned",
  "never_seen",
  "not_searchable",
] as const;

/** What a sentence rests on: where an event stands behind it, its id and time lead to the attempt. */
export const Fact = Sentence.extend({ eventId: z.string().optional(), at: Time.optional() });

export const Verdict = z.object({
  code: z.enum(verdictCodes),
  params: Params,
  sentence: z.string(),
  facts: z.array(Fact),
});

export const RetryNow = z.object({
  outcome: z.enum(["replay", "conflict", "pending", "execute", "not_known"]),
  /** What the retry would be answered; null where that is not known. */
  status: z.int().nullable(),
  /** When this changes by itself; null where it does not. */
  until: Time.nullable(),
  params: Params,
  sentence: z.string(),
});

/** A stored header as shown: the value of one that may carry a secret is replaced. */
export const Header = z.object({ name: z.string(), value: z.string(), masked: z.boolean() });

export const Note = z.object({
  id: z.string(),
  at: Time,
  author: z.string(),
  text: z.string(),
  ticket: z.string().nullable(),
});

/** What the events say the operation was about; null and empty where they do not. */
export const Operation = z.object({
  amount: Amount.nullable(),
  currency: z.string().nullable(),
  customer: z.string().nullable(),
  references: z.array(z.string()),
  providerReference: z.string().nullable(),
});

/** Whether an event stream covers this operation, and from when events are kept. */
export const Coverage = z.object({ measured: z.boolean(), from: Time.nullable() });

export const KeyDetail = KeySummary.extend({
  verdict: Verdict,
  retryNow: RetryNow,
  caseId: z.string().nullable(),
  layout: z.enum(["plain", "daily", "hash", "other"]),
  /** The database clock when this was read: what lease and expiry are judged by. */
  now: Time,
  operation: Operation,
  events: Coverage,
  bodyCodec: z.enum(["plain", "envelope-v1", "opaque"]),
  headers: z.array(Header),
  notes: z.array(Note),
  /** The same key hash elsewhere: another endpoint, or an older record of this key. */
  others: z.array(KeySummary),
});

export type KeySummary = z.infer<typeof KeySummary>;
export type KeyDetail = z.infer<typeof KeyDetail>;
export type Phase = z.infer<typeof Phase>;
export type MatchedAs = z.infer<typeof MatchedAs>;
export type VerdictCode = (typeof verdictCodes)[number];
export type Verdict = z.infer<typeof Verdict>;
export type Fact = z.infer<typeof Fact>;
export type RetryNow = z.infer<typeof RetryNow>;
export type Header = z.infer<typeof Header>;
export type Note = z.infer<typeof Note>;
export type Operation = z.infer<typeof Operation>;
export type Coverage = z.infer<typeof Coverage>;
