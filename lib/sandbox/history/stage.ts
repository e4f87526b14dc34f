import { v7 } from "uuid";
import type { Facts } from "@/lib/idempotency";
import { SOURCE } from "../endpoints";
import type { Random } from "../random";
import type { Turn } from "./course";
import { type Micros, timeText } from "./micros";
import type { ChargeRecord, HistoryEvent, KeyRecord, PaymentRecord, Records } from "./records";
import type { HistoryRequest } from "./request";

/** What the operations of one story share. */
export interface Stage {
  random: Random;
  records: Records;
  /** Where history ends. */
  now: Micros;
  /** Payments made so far, by the shop's order. */
  payments: Map<string, PaymentRecord>;
}

/** One run of a key, from its claim on. */
export interface Run {
  row: KeyRecord;
  owner: HistoryRequest;
  /** What the events that follow say of it; grows with what the provider answers. */
  facts: Facts;
  turns: Turn[];
  charge: ChargeRecord | null;
}

/** Records an event of an operation, or of a request without a key, as the service's sink would: attempts and changes alike arrive within a moment. */
export function emit(
  { random, records, now }: Stage,
  { tenantId, endpoint, keyHash }: Pick<HistoryEvent, "tenantId" | "endpoint" | "keyHash">,
  kind: HistoryEvent["kind"],
  at: Micros,
  more: Partial<HistoryEvent>,
): void {
  const msecs = Math.floor(at / 1_000);
  const event: HistoryEvent = {
    eventId: v7({ msecs, random: random.bytes(16) }),
    tenantId,
    endpoint,
    keyHash,
    kind,
    occurredAt: timeText(at),
    source: SOURCE,
    ...more,
  };
  records.events.push({ event, receivedAt: Math.min(now, at + random.integer(300, 220_000)) });
}
