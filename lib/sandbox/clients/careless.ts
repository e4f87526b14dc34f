import type { ClientKind } from "./kind";

const HOUR = 3_600_000;

/** Clients that break a rule about keys. */
export const careless: ClientKind[] = [
  {
    name: "two_bodies",
    weight: 90,
    expected: { verdict: "executed_once", hints: [], charges: 1 },
    tell(pen) {
      const [fields, key] = [pen.paymentFields(), pen.key()];
      const changed = { ...fields, amount: fields.amount + 500 };
      return [
        pen.attempt(pen.payment(fields), key, 0),
        pen.attempt(pen.payment(changed), key, pen.random.integer(8_000, 60_000)),
      ];
    },
  },
  {
    name: "retried_mismatch",
    weight: 70,
    expected: { verdict: "executed_once", hints: ["retried_mismatch"], charges: 1 },
    tell(pen) {
      const [fields, key] = [pen.paymentFields(), pen.key()];
      const changed = pen.payment({ ...fields, amount: fields.amount + 500 });
      const retries = [9_000, 12_000, 18_000, 30_000].map((atMs) => pen.attempt(changed, key, atMs));
      return [pen.attempt(pen.payment(fields), key, 0), ...retries];
    },
  },
  {
    name: "attempt_id_as_key",
    weight: 30,
    expected: { verdict: "possibly_repeated", hints: ["attempt_id_as_key", "new_key_per_attempt"], charges: 1 },
    tell(pen) {
      const [order, first, second] = [pen.payment(), pen.uuid(), pen.uuid()];
      return [
        pen.attempt(order, first, 0, { fault: "slow=2600", requestId: first }),
        pen.attempt(order, second, 1_500, { requestId: second }),
      ];
    },
  },
  {
    name: "key_as_attempt_id",
    weight: 30,
    expected: { verdict: "executed_once", hints: ["key_as_attempt_id"], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [
        pen.attempt(order, key, 0, { fault: "slow=2600", requestId: key }),
        pen.attempt(order, key, 1_700, { requestId: key }),
        pen.attempt(order, key, 4_600, { requestId: key }),
      ];
    },
  },
  {
    name: "sequence_as_key",
    weight: 60,
    expected: { verdict: "executed_once", hints: ["weak_key"], charges: 1 },
    tell(pen) {
      const number = pen.next();
      return [pen.attempt(pen.payment(), pen.random.pick([`order-${number}`, String(number)]), 0)];
    },
  },
  {
    name: "clock_as_key",
    weight: 30,
    expected: { verdict: "executed_once", hints: ["weak_key"], charges: 1 },
    tell: (pen) => [pen.attempt(pen.payment(), String(pen.startedAt), 0)],
  },
  {
    name: "constant_as_key",
    weight: 10,
    expected: { verdict: "executed_once", hints: ["weak_key"], charges: 1 },
    tell(pen) {
      const key = `checkout-${pen.word()}`;
      return [0, 4, 9, 15].map((minutes) => pen.attempt(pen.payment(), key, minutes * 60_000));
    },
  },
  {
    // Its attempts share one trace: without a key, nothing else in the events says that they are one client's.
    name: "header_stripped",
    weight: 40,
    expected: { verdict: "executed_once", hints: ["header_stripped"], charges: 1 },
    tell(pen) {
      const [order, key, trace] = [pen.payment(), pen.key(), pen.trace()];
      return [
        pen.attempt(order, key, 0, { fault: "slow=2600", trace }),
        pen.attempt(order, null, 1_700, { trace }),
        pen.attempt(order, null, 3_400, { trace }),
        pen.attempt(order, key, 5_200, { trace }),
      ];
    },
  },
  {
    // The record lapsed a day after the first run, and so did the provider's memory of the downstream key.
    name: "late_retry_after_expiry",
    weight: 40,
    expected: { verdict: "expired_then_reused", hints: ["retries_outlived_ttl"], charges: 2 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [pen.attempt(order, key, 0), pen.attempt(order, key, pen.random.integer(25 * HOUR, 40 * HOUR))];
    },
  },
];
