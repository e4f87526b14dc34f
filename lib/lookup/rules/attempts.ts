import type { Attempt, AttemptOutcome } from "../schema";
import type { EventRow } from "./model";
import { msBetween } from "./times";

/** What ends a claim in the words of its own attempt. */
const endings: Readonly<Record<string, AttemptOutcome>> = {
  completed: "executed",
  released: "released",
  failed: "failed",
  marked_unknown: "unknown",
};

/** Kinds that are an attempt by themselves: it changed nothing. */
const refusals: Readonly<Record<string, AttemptOutcome>> = {
  replayed: "replayed",
  conflict: "conflict",
  pending: "pending",
  mismatch: "mismatch",
  rejected: "rejected",
};

/** Kinds that end a claim for an owner who never did. */
const settling: ReadonlySet<string> = new Set(["lease_expired", "failed", "marked_unknown", "recovered", "reconciled"]);

/** A claim and what became of it. */
export interface Run {
  claimed: EventRow;
  /** Its own end, joined by request id; null while it runs, or where its owner was never heard of again. */
  ended: EventRow | null;
  /** Somebody else had to settle it: its client got no answer from this attempt. */
  abandoned: boolean;
  generation: number;
}

/** The claims of a key in order, each joined to its end. `events` are one key's, in order of time. */
export function runsOf(events: readonly EventRow[]): Run[] {
  const runs: Run[] = [];
  let generation = 1;
  for (const [index, event] of events.entries()) {
    if (event.kind !== "claimed") continue;
    const before = runs.at(-1);
    // A key that was released is claimed anew in the same run of its life; only one that was kept can lapse.
    if (before && before.ended?.kind !== "released") generation += 1;
    const own = untilNextClaim(events.slice(index + 1));
    runs.push({
      claimed: event,
      ended: endOf(event, own),
      abandoned: own.some(({ kind }) => settling.has(kind)),
      generation,
    });
  }
  return runs;
}

function untilNextClaim(later: readonly EventRow[]): readonly EventRow[] {
  const next = later.findIndex(({ kind }) => kind === "claimed");
  return next === -1 ? later : later.slice(0, next);
}

function endOf(claimed: EventRow, own: readonly EventRow[]): EventRow | null {
  const ends = own.filter(({ kind }) => kind in endings);
  if (claimed.requestId === null) return ends[0] ?? null;
  return ends.find(({ requestId }) => requestId === claimed.requestId) ?? null;
}

/** Every request that carried the key, in order, and what it got. */
export function attemptsOf(events: readonly EventRow[]): Attempt[] {
  const runs = runsOf(events);
  const byClaim = new Map(runs.map((run) => [run.claimed, run]));
  let generation = 1;
  let previous: string | null = null;
  const attempts: Attempt[] = [];
  for (const event of events) {
    const run = byClaim.get(event);
    const refusal = refusals[event.kind];
    if (run) generation = run.generation;
    if (!run && !refusal) continue;
    const gapMs = previous === null ? null : msBetween(previous, event.at);
    previous = event.at;
    attempts.push({ ...shared(event), gapMs, generation, ...(run ? claimAnswer(run) : answer(event, refusal)) });
  }
  return attempts;
}

function shared({ eventId, at, receivedAt, requestId, traceId, source, retryAfterMs }: EventRow) {
  return { eventId, at, receivedAt, requestId, traceId, source, retryAfterMs };
}

function claimAnswer({ claimed, ended, abandoned }: Run) {
  const durationMs = ended ? (ended.durationMs ?? Math.round(msBetween(claimed.at, ended.at))) : null;
  const outcome: AttemptOutcome = (ended && endings[ended.kind]) ?? (abandoned ? "unknown" : "running");
  return { outcome, status: ended?.status ?? null, durationMs, errorCode: ended?.errorCode ?? null };
}

function answer({ status, durationMs, errorCode }: EventRow, outcome: AttemptOutcome = "rejected") {
  return { outcome, status, durationMs, errorCode };
}
