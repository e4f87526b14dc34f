import type { ClientKind, PlannedAttempt } from "./kind";

/** Clients that send too much or too soon. */
export const impatient: ClientKind[] = [
  {
    name: "double_click",
    weight: 320,
    expected: { verdict: "executed_once", hints: [], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [pen.attempt(order, key, 0, { fault: "slow=900" }), pen.attempt(order, key, pen.random.integer(90, 260))];
    },
  },
  {
    name: "five_gateways",
    weight: 20,
    expected: { verdict: "executed_once", hints: ["attempts_after_answer"], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      const attempts: PlannedAttempt[] = [];
      for (const round of [0, 1_400, 3_400]) {
        for (let gateway = 0; gateway < 5; gateway++) {
          const fault = round === 0 && gateway === 0 ? "slow=2400" : null;
          attempts.push(pen.attempt(order, key, round + gateway * 30, { fault }));
        }
      }
      return attempts;
    },
  },
  {
    name: "ignored_retry_after",
    weight: 90,
    expected: { verdict: "executed_once", hints: ["ignored_retry_after"], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      const hammering = [700, 950, 1_200, 1_450].map((atMs) => pen.attempt(order, key, atMs));
      return [pen.attempt(order, key, 0, { fault: "slow=2600" }), ...hammering, pen.attempt(order, key, 4_500)];
    },
  },
  {
    name: "keeps_asking",
    weight: 60,
    expected: { verdict: "executed_once", hints: ["attempts_after_answer"], charges: 1 },
    tell(pen) {
      const [order, key] = [pen.payment(), pen.key()];
      return [0, 1, 2, 3, 4, 5].map((round) => pen.attempt(order, key, round * 20_000));
    },
  },
  {
    name: "new_key_per_attempt",
    weight: 80,
    expected: { verdict: "possibly_repeated", hints: ["new_key_per_attempt"], charges: 1 },
    tell(pen) {
      const order = pen.payment();
      return [
        pen.attempt(order, pen.key(), 0, { fault: "slow=2600" }),
        pen.attempt(order, pen.key(), pen.random.integer(1_200, 1_900)),
      ];
    },
  },
];
