import type { Transition } from "../schema";
import { runsOf } from "./attempts";
import type { EventRow } from "./model";

/** The state a kind leads to where its event does not say; null is "no record". */
const leadsTo: Readonly<Record<string, string | null>> = {
  claimed: "in_progress",
  completed: "completed",
  released: null,
  failed: "failed",
  marked_unknown: "unknown",
  recovered: "completed",
  reconciled: "completed",
  cleaned: null,
};

/** Kinds that tell of the operation and leave its state as it is. */
const remarks: ReadonlySet<string> = new Set(["effect_started", "lease_expired", "expired_reuse"]);

/** Changes of state between the attempts, in order. */
export function transitionsOf(events: readonly EventRow[]): Transition[] {
  const claims = new Map(runsOf(events).map(({ claimed, generation }) => [claimed, generation]));
  const transitions: Transition[] = [];
  let state: string | null = null;
  let generation = 1;
  for (const event of events) {
    const { eventId, at, kind, source } = event;
    generation = claims.get(event) ?? generation;
    if (remarks.has(kind)) {
      transitions.push({ eventId, at, kind, from: state, to: state, source, generation });
    } else if (kind in leadsTo) {
      const to: string | null =
        kind === "released" || kind === "cleaned" ? null : (event.state ?? leadsTo[kind] ?? null);
      transitions.push({ eventId, at, kind, from: state, to, source, generation });
      state = to;
    }
  }
  return transitions;
}
