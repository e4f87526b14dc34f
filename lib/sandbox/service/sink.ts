import { type Database, type EmitSink, emitSink, type IdempotencyEvent, type KeyRing } from "@/lib/idempotency";
import { keptCustomer } from "@/lib/privacy/customer";

/**
 * The service's events. Whoever sends them, whatever became of the request: a customer named by an e-mail address
 * reaches the stream as its keyed hash.
 */
export function serviceSink(db: Database, ring: KeyRing | null, report: (error: unknown) => void): EmitSink {
  const sink = emitSink(db, { report });
  const discreet = (event: IdempotencyEvent): IdempotencyEvent => ({ ...event, customer: customerOf(ring, event) });
  return {
    ...sink,
    inTransaction: (tx, events) => sink.inTransaction(tx, events.map(discreet)),
    attempt: (event) => sink.attempt(discreet(event)),
  };
}

function customerOf(ring: KeyRing | null, { tenantId, customer }: IdempotencyEvent): string | undefined {
  return customer === undefined ? undefined : (keptCustomer(ring, tenantId, customer) ?? undefined);
}
