import type { Params } from "../schema";
import type { EventRow, Told } from "./model";
import { executedOthers, type Picture } from "./picture";

/** A fact under a verdict; one that an event shows carries its id and time. */
export interface ToldFact extends Told {
  eventId?: string;
  at?: string;
}

/** Kinds worth a fact of their own, each with the sentence that says it. */
const told: Readonly<Record<string, string>> = {
  claimed: "claimed",
  effect_started: "effectStarted",
  completed: "answered",
  released: "released",
  failed: "failed",
  marked_unknown: "markedUnknown",
  lease_expired: "leaseExpired",
  recovered: "recovered",
  reconciled: "reconciled",
  expired_reuse: "reused",
  cleaned: "cleaned",
};

/** Kinds that are counted, with their first event to lead to. */
const counted: Readonly<Record<string, string>> = {
  replayed: "replays",
  conflict: "conflicts",
  pending: "pendings",
  mismatch: "mismatches",
  rejected: "rejections",
};

/** Facts of one kind told one by one; more are rare and are in the chain. */
const MOST_TOLD = 12;

/** What the verdict rests on, in order: the operation's story, then the row, then the other keys. */
export function factsOf(picture: Picture): ToldFact[] {
  const counts = picture.cut.events ? [] : countsOf(picture.events); // of a part, a count would say too little
  return [...storyOf(picture.events), ...counts, ...rowFacts(picture), ...otherFacts(picture)];
}

function storyOf(events: readonly EventRow[]): ToldFact[] {
  return events
    .filter(({ kind }) => kind in told)
    .slice(0, MOST_TOLD)
    .map((event) => fact(told[event.kind] ?? event.kind, event, statusOf(event)));
}

function statusOf({ status, errorCode }: EventRow): Params {
  return { status: status === null ? "none" : String(status), error: errorCode ?? "none" };
}

function countsOf(events: readonly EventRow[]): ToldFact[] {
  return Object.entries(counted).flatMap(([kind, code]) => {
    const of = events.filter((event) => event.kind === kind);
    const first = of[0];
    return first ? [fact(code, first, { count: of.length })] : [];
  });
}

function fact(code: string, { eventId, at }: EventRow, params: Params): ToldFact {
  return { code, params: { ...params, at: { time: at } }, eventId, at };
}

function rowFacts({ row, events, olderRows }: Picture): ToldFact[] {
  if (!row) return [{ code: "rowGone", params: {} }];
  const { state, responseStatus, lockedUntil, expiresAt, createdAt } = row;
  const status = responseStatus === null ? "none" : String(responseStatus);
  const facts: ToldFact[] = [{ code: "rowSays", params: { state, status, at: { time: createdAt } } }];
  if (state === "in_progress" && lockedUntil) facts.push({ code: "lease", params: { at: { time: lockedUntil } } });
  if (state === "completed") facts.push({ code: "expiry", params: { at: { time: expiresAt } } });
  for (const older of olderRows) facts.push({ code: "olderRow", params: { at: { time: older.createdAt } } });
  if (events.length === 0) facts.push({ code: "noEvents", params: {} });
  return facts;
}

function otherFacts(picture: Picture): ToldFact[] {
  if (!picture.twinsChecked) return [{ code: "othersUnchecked", params: {} }];
  const window = { ms: picture.profile.twinWindowMs };
  const others = executedOthers(picture);
  // Where the list was cut the verdict says that they were not checked; no fact can stand for what was not read.
  if (others.length === 0 && picture.cut.others) return [];
  if (others.length === 0) return [{ code: "othersNone", params: { window } }];
  return others.slice(0, MOST_TOLD).map(({ keyHash, createdAt, shares }) => {
    return { code: "other", params: { hash: keyHash.slice(0, 12), at: { time: createdAt }, shares }, at: createdAt };
  });
}
