import { paymentOf, refundOf } from "../service/records";
import type { Micros } from "./micros";
import type { ChargeRecord, PaymentRecord, RefundRecord } from "./records";
import type { Run, Stage } from "./stage";

/** The business row of a payment, with the operation it came from. */
export function paymentRecord({ row, owner }: Run, charge: ChargeRecord, createdAt: Micros): PaymentRecord {
  const { tenantId, endpoint, key, keyHash } = row;
  if (!owner.payment) throw new Error("An invalid payment ran");
  const payment = paymentOf(owner.payment, charge);
  return { ...payment, tenantId, endpoint, key, keyHash, operationAt: row.createdAt, createdAt };
}

/** The business row of a refund. Its payment was made earlier in the same story, or it would not have run. */
export function refundRecord({ row, owner }: Run, charge: ChargeRecord, createdAt: Micros, stage: Stage): RefundRecord {
  const { tenantId, endpoint, key, keyHash } = row;
  const payment = stage.payments.get(owner.refund?.order ?? "");
  if (!owner.refund || !payment) throw new Error("A refund ran without its payment");
  const refund = refundOf(owner.refund, payment.id, charge);
  return { ...refund, tenantId, endpoint, key, keyHash, operationAt: row.createdAt, createdAt };
}
