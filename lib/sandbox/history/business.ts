import type { ChargeMetadata } from "../provider";
import { paymentMetadata, paymentOf, refundMetadata, refundOf } from "../service/records";
import type { Micros } from "./micros";
import type { ChargeRecord, PaymentRecord, RefundRecord } from "./records";
import type { HistoryRequest } from "./request";
import type { Run, Stage } from "./stage";

/** What the service attaches to the charge of a valid request. */
export function metadataOf({ payment, refund }: HistoryRequest, stage: Stage): ChargeMetadata {
  if (payment) return paymentMetadata(payment);
  const refunded = stage.payments.get(refund?.order ?? "");
  if (!refund || !refunded) throw new Error("A request ran that the service refuses");
  return refundMetadata(refund, refunded);
}

/** The business row of a payment, with the operation it came from. */
export function paymentRecord({ row }: Run, charge: ChargeRecord, createdAt: Micros): PaymentRecord {
  return { ...paymentOf(charge), ...operationOf(row), createdAt };
}

/** The business row of a refund, with the operation it came from. */
export function refundRecord({ row }: Run, charge: ChargeRecord, createdAt: Micros): RefundRecord {
  return { ...refundOf(charge), ...operationOf(row), createdAt };
}

function operationOf({ tenantId, endpoint, key, keyHash, createdAt }: Run["row"]) {
  return { tenantId, endpoint, key, keyHash, operationAt: createdAt };
}
