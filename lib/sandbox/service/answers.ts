import { endpoints } from "../endpoints";

/** A response as a value, so that the handler, recovery and history all store the same bytes. */
export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

export interface Payment {
  id: string;
  status: "succeeded" | "declined";
  amount: number;
  currency: string;
  customer: string;
  order: string | null;
  description: string | null;
  /** The provider's id of the charge. */
  providerReference: string;
}

export interface Refund {
  id: string;
  status: "succeeded" | "declined";
  payment: string;
  amount: number;
  currency: string;
  reason: string | null;
  providerReference: string;
}

/** The payment as its client sees it. */
export function paymentView({ order, description, ...payment }: Payment) {
  return { ...payment, ...(order !== null && { order }), ...(description !== null && { description }) };
}

export function paymentAnswer(payment: Payment): Answer {
  if (payment.status === "declined") return declined(payment.id, payment.providerReference);
  return created(paymentView(payment), `${endpoints.payments.path}/${payment.id}`);
}

export function refundAnswer(refund: Refund): Answer {
  if (refund.status === "declined") return declined(refund.id, refund.providerReference);
  return created(refund);
}

/** The charge stands, and what should have followed it failed for good. */
export function receiptFailed(reference: string): Answer {
  return problemAnswer(500, "receipt_failed", "The payment was taken and its receipt could not be made", { reference });
}

export function problemAnswer(status: number, code: string, title: string, more: object = {}): Answer {
  const body = { type: "about:blank", title, status, code, retryable: false, ...more };
  return { status, headers: [["content-type", "application/problem+json"]], body: JSON.stringify(body) };
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}

function created(body: object, location?: string): Answer {
  const type: [string, string] = ["content-type", "application/json"];
  const headers: Answer["headers"] = location ? [type, ["location", location]] : [type];
  return { status: 201, headers, body: JSON.stringify(body) };
}

function declined(id: string, reference: string): Answer {
  return problemAnswer(402, "payment_declined", "The card was declined", { id, reference });
}
