import type { Charge, ChargeMetadata } from "../provider";
import type { Payment, Refund } from "./answers";
import type { PaymentInput, RefundInput } from "./input";

/** What a payment attaches to its charge. */
export function paymentMetadata({ order, invoice, description }: PaymentInput): ChargeMetadata {
  return defined({ order, invoice, description });
}

/** What a refund attaches to its charge. */
export function refundMetadata({ reason }: RefundInput, payment: Pick<Payment, "id" | "order">): ChargeMetadata {
  return defined({ payment: payment.id, order: payment.order ?? undefined, reason });
}

/**
 * The payment that a charge makes. All of it, the id too, follows from the provider's record, so that the handler and
 * recovery write the same one.
 */
export function paymentOf({ id, status, amount, currency, customer, metadata }: Charge): Payment {
  return {
    id: `pay_${id.slice(3)}`,
    status: status === "declined" ? "declined" : "succeeded",
    amount,
    currency,
    customer,
    order: metadata.order ?? null,
    description: metadata.description ?? null,
    providerReference: id,
  };
}

/** The refund that a provider's refund makes. */
export function refundOf({ id, status, amount, currency, metadata }: Charge): Refund {
  return {
    id: `re_${id.slice(3)}`,
    status: status === "declined" ? "declined" : "succeeded",
    payment: metadata.payment ?? "",
    amount,
    currency,
    reason: metadata.reason ?? null,
    providerReference: id,
  };
}

function defined(fields: Record<string, string | undefined>): ChargeMetadata {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
