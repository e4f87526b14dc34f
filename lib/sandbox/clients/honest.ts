import type { ClientKind } from "./kind";

const HOUR = 3_600_000;

const executedOnce = { verdict: "executed_once", hints: [], charges: 1 } as const;

/** Clients that keep the contract. None of them may get a hint. */
export const honest: ClientKind[] = [
  {
    name: "single",
    weight: 7_162,
    expected: executedOnce,
    tell: (pen) => [pen.attempt(pen.payment(), pen.key(), 0)],
  },
  {
    name: "payment_and_refund",
    weight: 350,
    expected: executedOnce,
    tell(pen) {
      const fields = pen.paymentFields();
      const later = pen.random.integer(5 * 60_000, 6 * HOUR);
      return [pen.attempt(pen.payment(fields), pen.key(), 0), pen.attempt(pen.refund(fields), pen.key(), later)];
    },
  },
  {
    name: "honest_retry",
    weight: 560,
    expected: executedOnce,
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [
        pen.attempt(order, key, 0, { fault: "slow=2600" }),
        pen.attempt(order, key, pen.random.integer(1_500, 1_900)),
        pen.attempt(order, key, pen.random.integer(4_000, 6_500)),
      ];
    },
  },
  {
    name: "app_restarted_mid_retry",
    weight: 80,
    expected: executedOnce,
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [
        pen.attempt(order, key, 0, { fault: "slow=2600" }),
        pen.attempt(order, key, 1_800),
        pen.attempt(order, key, pen.random.integer(2 * 60_000, 9 * 60_000)),
      ];
    },
  },
  {
    name: "queue_redelivery",
    weight: 90,
    expected: executedOnce,
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [pen.attempt(order, key, 0), pen.attempt(order, key, pen.random.integer(3 * HOUR, 9 * HOUR))];
    },
  },
  {
    // Bought again after the first answer arrived: for the desk a question to the customer, never a fault of the client.
    name: "honest_repeat_purchase",
    weight: 130,
    expected: { verdict: "possibly_repeated", hints: [], charges: 1 },
    tell(pen) {
      const fields = pen.paymentFields();
      const again = { ...fields, order: `ORD-${pen.next()}` };
      return [
        pen.attempt(pen.payment(fields), pen.key(), 0),
        pen.attempt(pen.payment(again), pen.key(), pen.random.integer(4 * 60_000, 13 * 60_000)),
      ];
    },
  },
  {
    name: "honest_repeat_purchase_later",
    weight: 60,
    expected: executedOnce,
    tell(pen) {
      const fields = pen.paymentFields();
      const again = { ...fields, order: `ORD-${pen.next()}` };
      return [
        pen.attempt(pen.payment(fields), pen.key(), 0),
        pen.attempt(pen.payment(again), pen.key(), pen.random.integer(2 * HOUR, 20 * HOUR)),
      ];
    },
  },
];
