import type { Attempt } from "../schema";
import { attemptsOf, type Run, runsOf } from "./attempts";
import type { EventRow, KeyRow, Profile } from "./model";
import { isStuck } from "./standing";
import { outcomeOf, type TwinStory } from "./twins";

/** Everything known of one operation: what verdicts and hints are told from. */
export interface Picture {
  row: KeyRow | null;
  /** Other rows of the same key on the same endpoint: it lapsed and was used again. Oldest first. */
  olderRows: KeyRow[];
  /** Of this key, in order of time. */
  events: EventRow[];
  /** Attempts of the same endpoint without a key, between this key's first and last. */
  keyless: EventRow[];
  attempts: Attempt[];
  runs: Run[];
  twins: TwinStory[];
  nearTwins: TwinStory[];
  /** False where no event stream could be asked for other keys. */
  twinsChecked: boolean;
  /** Which lists a bound cut short, so that what they do not show may still have happened. */
  cut: { events: boolean; others: boolean };
  profile: Profile;
  caseId: string | null;
  /** The database clock. */
  now: string;
}

type Given = Omit<Picture, "attempts" | "runs" | "cut"> & Partial<Pick<Picture, "cut">>;

export function pictureOf({ cut = { events: false, others: false }, ...given }: Given): Picture {
  return { ...given, cut, attempts: attemptsOf(given.events), runs: runsOf(given.events) };
}

/** The run that the row tells of; without a row the last. */
export function ownRun({ row, runs }: Pick<Picture, "row" | "runs">): Run | null {
  const started = row && runs.filter(({ claimed }) => claimed.at <= row.createdAt).at(-1);
  return started ?? (row ? (runs[0] ?? null) : (runs.at(-1) ?? null));
}

/** State, status and start of the operation: from its row, or from its events where the row is gone. */
export function accountOf(picture: Picture) {
  const { row, events, profile, now } = picture;
  const run = ownRun(picture);
  const startedAt = run?.claimed.at ?? row?.createdAt ?? events[0]?.at ?? now;
  if (row)
    return { state: row.state, responseStatus: row.responseStatus, startedAt, stuck: isStuck(row, now, profile) };
  return { ...outcomeOf(events), startedAt, stuck: false };
}

/** When it ran: its own completion's time where that was seen, else its start. */
export function ranAt(picture: Picture): string {
  const run = ownRun(picture);
  return run?.ended?.kind === "completed" ? run.ended.at : accountOf(picture).startedAt;
}

export function executedOthers({ twins, nearTwins }: Pick<Picture, "twins" | "nearTwins">): TwinStory[] {
  return [...twins, ...nearTwins].filter(({ executed }) => executed);
}
