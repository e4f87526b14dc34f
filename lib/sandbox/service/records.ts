import type { Payment, Refund } from "./answers";
import type { PaymentInput, RefundInput } from "./input";

/** What the provider answered of a charge or a refund. */
export interface Charged {
  id: string;
  status: "succeeded" | "declined" | "refunded";
  amount: number;
  currency: string;
}

/** The payment that a charge makes. Its id follows from the provider's, so whoever writes it writes the same one. */
export function paymentOf(input: PaymentInput, charge: Charged): Payment {
  return {
    id: `pay_${charge.id.slice(3)}`,
    status: charge.status === "declined" ? "declined" : "succeeded",
    amount: charge.amount,
    currency: charge.currency,
    customer: input.customer,
    order: input.order ?? null,
    description: input.description ?? null,
    providerReference: charge.id,
  };
}

export function refundOf(input: RefundInput, paymentId: string, charge: Charged): Refund {
  return {
    id: `re_${charge.id.slice(3)}`,
    status: charge.status === "declined" ? "declined" : "succeeded",
    payment: paymentId,
    amount: charge.amount,
    currency: charge.currency,
    reason: input.reason ?? null,
    providerReference: charge.id,
  };
}
