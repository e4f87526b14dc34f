import { z } from "zod";

const amount = z.int().positive();
/** ISO 4217 letters in either case. XXX and XTS are the codes it keeps for no currency and for tests. */
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((code) => code.toUpperCase())
  .refine((code) => code !== "XXX" && code !== "XTS", "is no currency");
const text = z
  .string()
  .max(500)
  // PostgreSQL keeps none: past this point it would fail a charge that the provider has made already.
  .refine((given) => !given.includes("\0"), "holds a NUL character");
const name = text.min(1).max(128);

/** Unknown fields are accepted; they count in the fingerprint. */
export const PaymentInput = z.looseObject({
  amount,
  currency,
  customer: name,
  order: name.optional(),
  invoice: name.optional(),
  description: text.optional(),
});

/** Names the payment by its id or by the shop's own order. Without an amount all of it is refunded. */
export const RefundInput = z
  .looseObject({
    payment: name.optional(),
    order: name.optional(),
    amount: amount.optional(),
    reason: text.optional(),
  })
  .refine(({ payment, order }) => payment !== undefined || order !== undefined, "names no payment and no order");

/** The id of a payment, as its answer told it. */
export const PaymentId = z.string().regex(/^pay_[0-9a-f]{24}$/);

export type PaymentInput = z.infer<typeof PaymentInput>;
export type RefundInput = z.infer<typeof RefundInput>;
