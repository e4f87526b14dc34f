import type { ClientKind } from "./kind";

/** Clients that did nothing wrong and met a provider, or a service, that did. */
export const unlucky: ClientKind[] = [
  {
    name: "declined",
    weight: 320,
    expected: { verdict: "declined", hints: [], charges: 0 },
    tell: (pen) => [pen.attempt(pen.payment(), pen.key(), 0, { fault: "decline" })],
  },
  {
    name: "errored_after_charge",
    weight: 30,
    expected: { verdict: "errored", hints: [], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [pen.attempt(order, key, 0, { fault: "error-after-charge" }), pen.attempt(order, key, 2_500)];
    },
  },
  {
    name: "lost_answer",
    weight: 70,
    expected: { verdict: "executed_once", hints: [], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [pen.attempt(order, key, 0, { fault: "lose-answer" }), pen.attempt(order, key, 45_000)];
    },
  },
  {
    name: "lost_answer_held",
    weight: 12,
    expected: { verdict: "unknown", hints: [], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [
        pen.attempt(order, key, 0, { fault: "lose-answer=hold" }),
        pen.attempt(order, key, 90_000),
        pen.attempt(order, key, 300_000),
      ];
    },
  },
  {
    name: "crash_after_charge",
    weight: 40,
    expected: { verdict: "executed_once", hints: [], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [
        pen.attempt(order, key, 0, { fault: "crash-after-charge" }),
        pen.attempt(order, key, 1_600),
        pen.attempt(order, key, 45_000),
      ];
    },
  },
  {
    name: "crash_before_charge",
    weight: 8,
    expected: { verdict: "unknown", hints: [], charges: 0 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [
        pen.attempt(order, key, 0, { fault: "crash-before-charge" }),
        pen.attempt(order, key, 1_600),
        pen.attempt(order, key, 90_000),
      ];
    },
  },
  {
    name: "running",
    weight: 4,
    // The provider has charged already; its answer is what is slow.
    expected: { verdict: "in_progress", hints: [], charges: 1 },
    openAtEndMs: 1_000,
    tell: (pen) => [pen.attempt(pen.payment(), pen.key(), 0, { fault: "slow=3000" })],
  },
  {
    name: "abandoned",
    weight: 4,
    expected: { verdict: "stuck", hints: [], charges: 1 },
    openAtEndMs: 5_500,
    tell: (pen) => [pen.attempt(pen.payment(), pen.key(), 0, { fault: "crash-after-charge" })],
  },
];
