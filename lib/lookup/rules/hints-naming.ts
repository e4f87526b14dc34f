import type { Finding } from "./hints";
import type { Picture } from "./picture";

/** The key is the attempt's own request id, so the next attempt had to bring another key. */
export function attemptIdAsKey(picture: Picture): Finding {
  const { named, count } = namedByKey(picture);
  return named.length > 0 && count === 1 ? { eventIds: named } : null;
}

/** Every attempt carries the key as its request id, so attempts cannot be told apart. */
export function keyAsAttemptId(picture: Picture): Finding {
  const { named, count } = namedByKey(picture);
  return named.length > 1 && count > 1 ? { eventIds: named, params: { count: named.length } } : null;
}

const attemptKinds: ReadonlySet<string> = new Set([
  "claimed",
  "replayed",
  "conflict",
  "pending",
  "mismatch",
  "rejected",
]);

/** Attempts whose request id is the key, and how many attempts there are. */
function namedByKey({ events }: Picture): { named: string[]; count: number } {
  const attempts = events.filter(({ kind }) => attemptKinds.has(kind));
  const named = attempts.filter(({ requestIsKey }) => requestIsKey);
  return { named: named.map(({ eventId }) => eventId), count: attempts.length };
}
