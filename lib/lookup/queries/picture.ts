import "server-only";
import type { Transaction } from "@/lib/db/client";
import type { EventRow, KeyRow } from "../rules/model";
import { type Picture, pictureOf } from "../rules/picture";
import { profileFor } from "../rules/profile";
import type { Yardstick } from "../rules/summary";
import { readEvents, readKeyless } from "./events";
import type { Hit } from "./hits";
import { rowsOfHits } from "./rows-of-hits";
import { readTwins } from "./twins";

/** Events of one key that are read; the chain of a longer story says that it is cut. */
const MOST_EVENTS = 500;

/** An operation to look at: its row where there is one. */
export interface Subject extends Pick<Hit, "tenantId" | "endpoint" | "keyHash"> {
  row: KeyRow | null;
}

export interface Loaded {
  picture: Picture;
  /** False where a bound cut a list, or no event tells of the operation. */
  complete: boolean;
}

/** Reads everything known of one operation: its events, older rows of its key, and other keys that may be the same. */
export async function loadPicture(tx: Transaction, subject: Subject, yardstick: Yardstick): Promise<Loaded> {
  const profile = profileFor(subject.endpoint, yardstick.profiles);
  const read = await readEvents(tx, subject, MOST_EVENTS + 1);
  const events = read.slice(0, MOST_EVENTS);
  const claim = ownClaim(subject.row, events);
  const twins = claim && (await readTwins(tx, subject, claim, profile.twinWindowMs));
  const keyless = await readKeyless(tx, subject, events);
  const cut = { events: read.length > events.length, others: twins?.complete === false };
  const picture = pictureOf({
    row: subject.row,
    olderRows: await olderRows(tx, subject, events),
    events,
    keyless: keyless.events,
    twins: twins?.twins ?? [],
    nearTwins: twins?.nearTwins ?? [],
    twinsChecked: twins !== null,
    cut,
    profile,
    caseId: null,
    now: yardstick.now,
  });
  return { picture, complete: twins !== null && !cut.events && !cut.others && keyless.whole };
}

/** The claim that the row tells of; without a row the last one. */
function ownClaim(row: KeyRow | null, events: readonly EventRow[]): EventRow | null {
  const claims = events.filter(({ kind }) => kind === "claimed");
  const own = row && (claims.findLast(({ at }) => at <= row.createdAt) ?? claims[0]);
  return own ?? claims.at(-1) ?? null;
}

/** Other rows of this key on this endpoint, oldest first: each lapsed before the key was used again. */
async function olderRows(tx: Transaction, subject: Subject, events: readonly EventRow[]): Promise<KeyRow[]> {
  const claims = events.filter(({ kind }) => kind === "claimed").map(({ at }) => at);
  if (claims.length < 2) return [];
  const rows = await rowsOfHits(tx, [{ ...subject, claims }]);
  return rows.filter(({ id }) => id !== subject.row?.id).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}
