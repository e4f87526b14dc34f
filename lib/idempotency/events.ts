import { v7 } from "uuid";
import { hashKey } from "./key-hash";
import type { Sql } from "./sql";
import type { Operation, State } from "./store/rows";

/** Written in the same transaction as the change they tell of. */
export type ChangeKind =
  | "claimed"
  | "expired_reuse"
  | "effect_started"
  | "completed"
  | "released"
  | "failed"
  | "marked_unknown"
  | "lease_expired"
  | "recovered";

/** What an attempt got when it changed nothing. */
export type AttemptKind = "replayed" | "conflict" | "pending" | "mismatch" | "rejected";

/** One structured event. It never carries a key, only its hash. */
export interface IdempotencyEvent {
  /** UUIDv7. A resend with the same id is the same event. */
  eventId: string;
  tenantId: string;
  endpoint: string;
  /** Null only for a rejected request whose key could not be read. */
  keyHash: string | null;
  kind: ChangeKind | AttemptKind;
  /** RFC 3339 UTC, six digits; the database's time wherever the database was asked. */
  occurredAt: string;
  state?: State | undefined;
  fingerprint?: string | undefined;
  replayed?: boolean | undefined;
  responseStatus?: number | undefined;
  /** What the answer's Retry-After asked for. */
  retryAfterMs?: number | undefined;
  durationMs?: number | undefined;
  requestId?: string | undefined;
  traceId?: string | undefined;
  source?: string | undefined;
  errorCode?: string | undefined;
  downstreamKeyHash?: string | undefined;
  providerReference?: string | undefined;
  /** Minor units. */
  amount?: number | undefined;
  currency?: string | undefined;
  references?: string[] | undefined;
  customer?: string | undefined;
}

/** What the host knows of an operation and the library cannot: carried by its events. */
export type Facts = Pick<
  IdempotencyEvent,
  "amount" | "currency" | "references" | "customer" | "providerReference" | "downstreamKeyHash"
>;

/** Where events go. The library works without one. */
export interface EventSink {
  /** State changes; a failure here undoes the change. */
  inTransaction(tx: Sql, events: IdempotencyEvent[]): Promise<void>;
  /** Attempts; returns at once, and a loss changes no answer. */
  attempt(event: IdempotencyEvent): void;
}

/** The parts of an event that every event of one attempt shares. */
export interface EventBase {
  operation: Operation;
  fingerprint?: Uint8Array;
  requestId?: string;
  traceId?: string | undefined;
  source?: string | undefined;
}

export function event(
  base: EventBase,
  kind: IdempotencyEvent["kind"],
  occurredAt: string,
  more: Partial<IdempotencyEvent> = {},
): IdempotencyEvent {
  const { operation, fingerprint, ...shared } = base;
  return {
    eventId: v7(),
    tenantId: operation.tenant,
    endpoint: operation.endpoint,
    keyHash: hashKey(operation.key),
    kind,
    occurredAt,
    ...shared,
    ...(fingerprint && { fingerprint: Buffer.from(fingerprint).toString("hex") }),
    ...more,
  };
}
