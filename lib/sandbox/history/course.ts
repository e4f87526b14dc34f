import { LEASE_MS } from "../endpoints";
import type { Fault } from "../fault";
import type { Random } from "../random";

/** What happens to an operation after its claim, in order. */
type Step =
  | "effect_started"
  | "charge"
  | "completed"
  | "released"
  | "marked_unknown"
  | "lease_expired"
  | "abandoned_unknown"
  | "recovered";

export interface Turn {
  /** Since the claim. */
  afterMs: number;
  step: Step;
}

/** How often the worker looks for abandoned operations. */
const RECOVERY_EVERY_MS = 2_500;

/** The course one run takes under a fault, at the speed of the real service. `runnable`: the request is valid. */
export function courseOf(fault: Fault | null, runnable: boolean, random: Random): Turn[] {
  const brief = () => 2 + random.fraction() * 7;
  const refusedMs = brief();
  if (!runnable) return [{ afterMs: refusedMs, step: "released" }];

  const effectMs = brief();
  const chargeMs = effectMs + brief();
  const answerMs = chargeMs + (fault?.kind === "slow" ? fault.ms : 60 + random.fraction() * 200) + brief();
  const recoveryMs = LEASE_MS + 900 + random.fraction() * RECOVERY_EVERY_MS;
  const started: Turn = { afterMs: effectMs, step: "effect_started" };
  const charged: Turn = { afterMs: chargeMs, step: "charge" };
  const recovered: Turn = { afterMs: recoveryMs + brief(), step: "recovered" };
  const abandoned: Turn[] = [
    { afterMs: recoveryMs, step: "lease_expired" },
    { afterMs: recoveryMs, step: "abandoned_unknown" },
  ];

  switch (fault?.kind) {
    case "lose-answer": {
      const lost: Turn[] = [started, charged, { afterMs: answerMs, step: "marked_unknown" }];
      return fault.hold ? lost : [...lost, recovered];
    }
    case "crash-after-charge":
      return [started, charged, ...abandoned, recovered];
    case "crash-before-charge":
      return [started, ...abandoned];
    default:
      return [started, charged, { afterMs: answerMs, step: "completed" }];
  }
}
