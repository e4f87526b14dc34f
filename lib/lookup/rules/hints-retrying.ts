import type { Attempt } from "../schema";
import type { Finding } from "./hints";
import type { EventRow } from "./model";
import type { Picture } from "./picture";
import { msBetween, shift } from "./times";

/** Attempts closer than this to the one before were sent side by side: nobody reads an answer and asks again so fast. */
const PARALLEL_MS = 150;

/** A 422 is final, yet the very request that got it was sent again under the same key. */
export function retriedMismatch({ events }: Picture): Finding {
  const refused = events.filter(({ kind }) => kind === "mismatch");
  const sameAs = (event: EventRow) => refused.filter(({ fingerprint }) => fingerprint === event.fingerprint);
  const again = refused.filter((event) => event.fingerprint !== null && sameAs(event).length > 1);
  return again.length > 0 ? { eventIds: ids(again), params: { count: again.length } } : null;
}

/**
 * An attempt came while every sender had been asked to wait. Senders are counted by the largest group of attempts sent
 * side by side, so that five gateways or a double click do not pass for one client that hammers.
 */
export function ignoredRetryAfter({ attempts }: Picture): Finding {
  const senders = mostParallel(attempts);
  const early = attempts.filter((attempt, index) => {
    const waiting = attempts.slice(0, index).filter((before) => isWaiting(before, attempt.at));
    return waiting.length >= senders;
  });
  const asked = attempts.find(({ retryAfterMs }) => retryAfterMs !== null)?.retryAfterMs ?? 0;
  return early.length > 0 ? { eventIds: ids(early), params: { count: early.length, asked: { ms: asked } } } : null;
}

function isWaiting({ at, retryAfterMs }: Attempt, until: string): boolean {
  return retryAfterMs !== null && until < shift(at, retryAfterMs);
}

function mostParallel(attempts: readonly Attempt[]): number {
  let most = 1;
  let group = 0;
  for (const { gapMs } of attempts) {
    group = gapMs !== null && gapMs < PARALLEL_MS ? group + 1 : 1;
    most = Math.max(most, group);
  }
  return most;
}

/** The same request came again after its record had lapsed, and ran again. A new request under an old key is no retry. */
export function retriesOutlivedTtl({ runs, row, attempts, now }: Picture): Finding {
  const again = runs.filter(({ claimed, generation }) => {
    const before = runs.findLast((run) => run.generation < generation);
    return before?.claimed.fingerprint != null && before.claimed.fingerprint === claimed.fingerprint;
  });
  const gap = again.map((run) => msBetween(runs[runs.indexOf(run) - 1]?.claimed.at ?? run.claimed.at, run.claimed.at));
  if (again.length > 0) {
    return { eventIds: ids(again.map(({ claimed }) => claimed)), params: { after: { ms: Math.max(...gap) } } };
  }
  if (row?.state !== "completed" || row.expiresAt > now) return null;
  const late = attempts.filter(({ at, outcome }) => at > row.expiresAt && outcome !== "mismatch");
  const last = late.at(-1);
  return last ? { eventIds: ids(late), params: { after: { ms: msBetween(row.createdAt, last.at) } } } : null;
}

/** A replay delivers the answer; the same request sent once more after it never needed to be. */
export function attemptsAfterAnswer({ events, runs }: Picture): Finding {
  const late = runs.flatMap((run, index) => {
    const until = runs[index + 1]?.claimed.at;
    const replays = events.filter(
      ({ kind, at }) => kind === "replayed" && at >= run.claimed.at && (!until || at < until),
    );
    return replays.slice(1);
  });
  return late.length > 0 ? { eventIds: ids(late), params: { count: late.length } } : null;
}

function ids(of: readonly Pick<EventRow, "eventId">[]): string[] {
  return of.map(({ eventId }) => eventId);
}
