import { createHash } from "node:crypto";
import { ulid } from "ulid";
import { v4, v7 } from "uuid";
import type { Random } from "../random";
import type { PlannedAttempt, Resource } from "./kind";

/** The shop on whose behalf a client sends. Its counter numbers orders, and keys of clients that count. */
export interface Shop {
  tenantId: string;
  counter: number;
}

/** What is asked for: the same bytes on every attempt of one operation. */
export interface Order {
  resource: Resource;
  body: string;
}

export interface PaymentFields {
  amount: number;
  currency: string;
  customer: string;
  order: string;
}

interface AttemptOptions {
  fault: string | null;
  requestId: string;
  trace: string;
}

/** Customers a shop has. They return, but not within hours, or honest shopping would look like a repeated payment. */
const CUSTOMERS = 2_000;

interface Currency {
  code: string;
  weight: number;
  /** Minor units. */
  cheapest: number;
  dearest: number;
}

const CURRENCIES: readonly Currency[] = [
  { code: "EUR", weight: 40, cheapest: 300, dearest: 90_000 },
  { code: "USD", weight: 30, cheapest: 300, dearest: 90_000 },
  { code: "GBP", weight: 12, cheapest: 250, dearest: 70_000 },
  { code: "CNY", weight: 8, cheapest: 2_000, dearest: 600_000 },
  { code: "JPY", weight: 8, cheapest: 400, dearest: 120_000 },
  { code: "KWD", weight: 2, cheapest: 1_000, dearest: 250_000 },
];

/** Writes what a client sends. Everything it makes comes from `random`, so a seed makes the same story again. */
export class Pen {
  constructor(
    readonly random: Random,
    readonly shop: Shop,
    /** When the story begins, epoch ms. */
    readonly startedAt: number,
  ) {}

  /** A key as a careful client makes it: one of the formats the contract recommends. */
  key(): string {
    return this.random
      .weighted([
        { weight: 70, make: () => this.uuid() },
        { weight: 12, make: () => v7({ random: this.random.bytes(16), msecs: this.startedAt }) },
        { weight: 10, make: () => ulid(this.startedAt, () => this.random.fraction()) },
        { weight: 8, make: () => this.random.bytes(16).toString("base64url") },
      ])
      .make();
  }

  uuid(): string {
    return v4({ random: this.random.bytes(16) });
  }

  /** A trace id. Attempts of one client share one only where its kind says so. */
  trace(): string {
    return this.random.bytes(16).toString("hex");
  }

  /** A word of the shop's own, without a digit. */
  word(): string {
    return String(this.next()).replace(/\d/g, (digit) => "acegikmoqs"[Number(digit)] ?? "");
  }

  /** The shop's next number. */
  next(): number {
    this.shop.counter += 1;
    return this.shop.counter;
  }

  paymentFields(): PaymentFields {
    const currency = this.random.weighted(CURRENCIES);
    const number = this.next();
    return {
      amount: Math.round(this.random.logarithmic(currency.cheapest, currency.dearest)),
      currency: currency.code,
      customer: customerId(this.shop.tenantId, number % CUSTOMERS),
      order: `ORD-${number}`,
    };
  }

  payment(fields: PaymentFields = this.paymentFields()): Order {
    const invoice = fields.order.replace("ORD", "INV");
    return { resource: "payments", body: JSON.stringify({ ...fields, invoice, description: `Order ${fields.order}` }) };
  }

  refund({ order, amount, currency, customer }: PaymentFields): Order {
    const body = JSON.stringify({ order, amount, currency, customer, reason: "requested_by_customer" });
    return { resource: "refunds", body };
  }

  /** One request. Without a fault of its own it meets a provider of ordinary speed. */
  attempt(
    order: Order,
    key: string | null,
    atMs: number,
    { fault = null, requestId = this.uuid(), trace = this.trace() }: Partial<AttemptOptions> = {},
  ): PlannedAttempt {
    const traceparent = `00-${trace}-${this.random.bytes(8).toString("hex")}-01`;
    const speed = `slow=${Math.round(this.random.logarithmic(60, 400))}`;
    return { ...order, key, atMs, requestId, traceparent, fault: fault ?? speed };
  }
}

function customerId(tenantId: string, number: number): string {
  return `cus_${createHash("sha256").update(`${tenantId}:${number}`).digest("base64url").replace(/[-_]/g, "").slice(0, 14)}`;
}
