import type { Facts } from "@/lib/idempotency/events";

const MAX_REFERENCE = 128;

/** What events say of a request's money and names, taken from its body before anything has validated it. */
export function factsOf(json: unknown): Facts {
  if (typeof json !== "object" || json === null) return {};
  const { amount, currency, customer, order, invoice }: Record<string, unknown> = { ...json };
  const references = [order, invoice].filter(isReference);
  return {
    ...(Number.isSafeInteger(amount) && { amount: Number(amount) }),
    ...(typeof currency === "string" && /^[A-Za-z]{3}$/.test(currency) && { currency: currency.toUpperCase() }),
    ...(references.length > 0 && { references }),
    ...(isReference(customer) && { customer }),
  };
}

function isReference(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_REFERENCE;
}
