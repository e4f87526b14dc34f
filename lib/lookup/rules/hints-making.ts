import type { Finding } from "./hints";
import type { EventRow } from "./model";
import { ownRun, type Picture } from "./picture";
import type { TwinStory } from "./twins";
import { deliveredAt } from "./twins";

/** Different requests under one key, from this many on, mean that the key names no operation at all. */
const REQUESTS_UNDER_ONE_KEY = 3;

/**
 * The same request went out under another key while the earlier one had no delivered answer. Somebody who had an
 * answer and bought again broke no rule.
 */
export function newKeyPerAttempt(picture: Picture): Finding {
  const run = ownRun(picture);
  if (!run) return null;
  const own = { createdAt: run.claimed.at, deliveredAt: deliveredAt(since(picture.events, run.claimed.at)) };
  const others = picture.twins.filter((twin) => (twin.createdAt < own.createdAt ? began(twin, own) : began(own, twin)));
  if (others.length === 0) return null;
  const eventIds = [run.claimed.eventId, ...others.flatMap((twin) => twin.eventIds)];
  return { eventIds, params: { others: others.length } };
}

type Span = Pick<TwinStory, "createdAt" | "deliveredAt">;

/** Whether `later` began before `earlier` had an answer. */
function began(earlier: Span, later: Span): boolean {
  return earlier.deliveredAt === null || later.createdAt < earlier.deliveredAt;
}

function since(events: readonly EventRow[], at: string): EventRow[] {
  return events.filter((event) => event.at >= at);
}

/** The key can be guessed from another one or from a clock, or one constant serves for many requests. */
export function weakKey({ row, events }: Picture): Finding {
  const claims = events.filter(({ kind }) => kind === "claimed");
  const bodies = new Set(events.map(({ fingerprint }) => fingerprint).filter((fingerprint) => fingerprint !== null));
  const why = row?.weakness ?? (bodies.size >= REQUESTS_UNDER_ONE_KEY ? "constant" : null);
  return why ? { eventIds: claims.map(({ eventId }) => eventId), params: { why } } : null;
}

/** Attempts of the same client came without a key between two that carried it: something on the way strips it. */
export function headerStripped({ keyless, events, attempts }: Picture): Finding {
  const [first, last] = [attempts[0]?.at, attempts.at(-1)?.at];
  if (first === undefined || last === undefined) return null;
  const bare = keyless.filter(
    (event) => event.at > first && event.at < last && events.some((own) => isSameClient(event, own)),
  );
  return bare.length > 0 ? { eventIds: bare.map(({ eventId }) => eventId), params: { count: bare.length } } : null;
}

/** One client, as far as events can tell: the same request, customer, order or trace. The service's name says nothing. */
function isSameClient(bare: EventRow, own: EventRow): boolean {
  return (
    shared(bare.fingerprint, own.fingerprint) ||
    shared(bare.customer, own.customer) ||
    shared(bare.traceId, own.traceId) ||
    bare.references.some((reference) => own.references.includes(reference))
  );
}

function shared(one: string | null, other: string | null): boolean {
  return one !== null && one === other;
}
