import type { ClientKind } from "./kind";

/** Clients whose request nobody may run. */
export const refused: ClientKind[] = [
  {
    // The code that ISO 4217 keeps for "no currency": the service refuses it before anything is charged.
    name: "released_before_effect",
    weight: 70,
    expected: { verdict: "released", hints: [], charges: 0 },
    tell: (pen) => [pen.attempt(pen.payment({ ...pen.paymentFields(), currency: "XXX" }), pen.key(), 0)],
  },
  {
    name: "refused_only",
    weight: 40,
    expected: { verdict: "refused_only", hints: [], charges: 0 },
    tell(pen) {
      const [{ resource, body }, key] = [pen.payment(), pen.key()];
      const twice = { resource, body: body.replace("{", '{"amount":0,') };
      return [pen.attempt(twice, key, 0), pen.attempt(twice, key, pen.random.integer(1_500, 20_000))];
    },
  },
];
