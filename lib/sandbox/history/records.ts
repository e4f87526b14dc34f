import type { IdempotencyEvent } from "@/lib/idempotency";
import type { Expected } from "../clients";
import type { Charge } from "../provider";
import type { Answer, Payment, Refund } from "../service/answers";
import type { Micros } from "./micros";

/** One operation's name, as every table spells it. */
export interface OperationName {
  tenantId: string;
  endpoint: string;
  key: string;
  keyHash: string;
}

export interface HistoryEvent extends Omit<IdempotencyEvent, "kind"> {
  /** `cleaned` is the desk's own. */
  kind: IdempotencyEvent["kind"] | "cleaned";
}

export interface KeyRecord extends OperationName {
  fingerprint: Buffer;
  state: "in_progress" | "completed" | "unknown";
  answer: Answer | null;
  lockedUntil: Micros;
  createdAt: Micros;
  expiresAt: Micros;
}

export interface GuardRecord extends OperationName {
  keyCreatedAt: Micros;
  freeAt: Micros | null;
}

export interface EffectRecord extends OperationName {
  keyCreatedAt: Micros;
  step: string;
  downstreamKey: string;
  startedAt: Micros;
}

export interface ChargeRecord extends Charge {
  downstreamKey: string;
  tenantId: string;
  at: Micros;
  held: boolean;
}

export type PaymentRecord = OperationName & Payment & { operationAt: Micros; createdAt: Micros };
export type RefundRecord = OperationName & Refund & { operationAt: Micros; createdAt: Micros };

export interface KindRecord extends OperationName {
  kind: string;
  expected: Expected;
}

/** Everything that one stretch of history puts into the tables. */
export class Records {
  events: { event: HistoryEvent; receivedAt: Micros }[] = [];
  keys: KeyRecord[] = [];
  guards: GuardRecord[] = [];
  effects: EffectRecord[] = [];
  charges: ChargeRecord[] = [];
  payments: PaymentRecord[] = [];
  refunds: RefundRecord[] = [];
  kinds: KindRecord[] = [];
}
