import "server-only";
import { z } from "zod";
import { Prisma } from "@/lib/db/client";
import { hashKey } from "@/lib/idempotency/key-hash";
import type { EventRow } from "../rules/model";

/** What is read of an event `e`. */
export const eventColumns = Prisma.sql`
  e.event_id AS "eventId", e.kind AS "kind", idemdesk.utc(e.occurred_at) AS "at",
  idemdesk.utc(e.received_at) AS "receivedAt", e.endpoint AS "endpoint", encode(e.key_hash, 'hex') AS "keyHash",
  encode(e.fingerprint, 'hex') AS "fingerprint", e.state AS "state", e.response_status AS "status",
  e.duration_ms AS "durationMs", e.request_id AS "requestId", e.trace_id AS "traceId", e.source AS "source",
  e.error_code AS "errorCode", e.provider_reference AS "providerReference", e.amount AS "amount",
  e.currency AS "currency", coalesce(e.refs, '{}') AS "references", e.customer AS "customer",
  e.retry_after_ms AS "retryAfterMs"`;

/** Events of one instant in the order in which they come about: a claim before its effect, an effect before its answer. */
export const eventOrder = Prisma.sql`
  e.occurred_at, array_position(ARRAY['expired_reuse', 'claimed', 'effect_started', 'lease_expired'], e.kind), e.event_id`;

const text = z.string().nullable();

export const StoredAmount = z
  .bigint()
  .transform((amount) => (Number.isSafeInteger(Number(amount)) ? Number(amount) : String(amount)));

const Record = z.object({
  eventId: z.string(),
  kind: z.string(),
  at: z.string(),
  receivedAt: z.string(),
  endpoint: z.string(),
  keyHash: text,
  fingerprint: text,
  state: text,
  status: z.int().nullable(),
  durationMs: z.int().nullable(),
  requestId: text,
  traceId: text,
  source: text,
  errorCode: text,
  providerReference: text,
  amount: StoredAmount.nullable(),
  currency: text,
  references: z.array(z.string()),
  customer: text,
  retryAfterMs: z.int().nullable(),
});

export function parseEvents(records: readonly unknown[]): EventRow[] {
  return records.map((record) => {
    const event = Record.parse(record);
    return { ...event, requestIsKey: isKey(event.requestId, event.keyHash) };
  });
}

function isKey(requestId: string | null, keyHash: string | null): boolean {
  return requestId !== null && keyHash !== null && (requestId === keyHash || hashKey(requestId) === keyHash);
}
