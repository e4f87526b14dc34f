import { type IdempotentHandler, idempotent } from "@/lib/idempotency";
import { endpoints } from "../endpoints";
import { paymentAnswer, receiptFailed, toResponse } from "./answers";
import { chargeOnce, readFault, refusal } from "./charge";
import { PaymentInput } from "./input";
import { paymentMetadata, paymentOf } from "./records";
import { contractOf, type Service } from "./service";
import { savePayment } from "./store";

/** `POST /v1/payments`: charges the provider once and keeps the payment. */
export function payHandler(service: Service): IdempotentHandler {
  return idempotent(contractOf(service, endpoints.payments), async (request, context) => {
    const fault = readFault(request.headers);
    const input = PaymentInput.safeParse(context.json);
    if (!input.success) throw refusal(400, "payment_invalid", "The payment is not valid", problems(input.error.issues));
    const { amount, currency, customer } = input.data;
    const order = { kind: "charge", amount, currency, customer, metadata: paymentMetadata(input.data) } as const;
    const charge = await chargeOnce(service, context, order, fault);
    const payment = paymentOf(charge);
    context.describe({ providerReference: charge.id });
    await savePayment(service.db, { ...context.operation, at: context.claim.createdAt }, payment);
    return toResponse(fault?.kind === "error-after-charge" ? receiptFailed(payment.id) : paymentAnswer(payment));
  });
}

/** What is wrong and where, never the value. */
export function problems(issues: { path: PropertyKey[]; message: string }[]): object {
  return { errors: issues.map(({ path, message }) => ({ pointer: `/${path.join("/")}`, detail: message })) };
}
