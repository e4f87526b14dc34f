import { type IdempotentHandler, idempotent } from "@/lib/idempotency";
import { endpoints } from "../endpoints";
import { type Payment, refundAnswer, toResponse } from "./answers";
import { chargeOnce, readFault, refusal } from "./charge";
import { RefundInput } from "./input";
import { problems } from "./pay";
import { refundMetadata, refundOf } from "./records";
import { contractOf, type Service } from "./service";
import { findPayment, saveRefund } from "./store";

/** `POST /v1/refunds`: gives back a payment, whole or in part. */
export function refundHandler(service: Service): IdempotentHandler {
  return idempotent(contractOf(service, endpoints.refunds), async (request, context) => {
    const fault = readFault(request.headers);
    const input = RefundInput.safeParse(context.json);
    if (!input.success) throw refusal(400, "refund_invalid", "The refund is not valid", problems(input.error.issues));
    const payment = await findPayment(service.db, context.operation.tenant, input.data);
    if (!payment) throw refusal(404, "payment_not_found", "There is no such payment");
    const amount = refundable(payment, input.data);
    const { currency, customer } = payment;
    const order = {
      kind: "refund",
      amount,
      currency,
      customer,
      metadata: refundMetadata(input.data, payment),
    } as const;
    const refund = refundOf(await chargeOnce(service, context, order, fault));
    context.describe({ providerReference: refund.providerReference, amount, currency, customer });
    await saveRefund(service.db, { ...context.operation, at: context.claim.createdAt }, refund);
    return toResponse(refundAnswer(refund));
  });
}

/** The amount to give back; throws the refusal where the payment took no such money. */
function refundable(payment: Payment, { amount = payment.amount }: RefundInput): number {
  if (payment.status === "succeeded" && amount <= payment.amount) return amount;
  throw refusal(409, "payment_not_refundable", "The payment took less than that");
}
