import { knownStates, type Params, type VerdictCode } from "../schema";
import { factsOf, type ToldFact } from "./facts";
import { accountOf, executedOthers, ownRun, type Picture, ranAt } from "./picture";
import { isAnswered, isExecuted } from "./standing";

export interface ToldVerdict {
  code: VerdictCode;
  params: Params;
  facts: ToldFact[];
}

/** A rule answers the sentence's parameters where it holds, null where it does not. */
type Rule = (picture: Picture) => Params | null;

const known: ReadonlySet<string> = new Set(knownStates);

/** First match wins. Rules up to `executed_once` need the row; the later ones speak of a row that is not there. */
const rules: [VerdictCode, Rule][] = [
  ["unrecognised", ({ row }) => (row && !known.has(row.state) ? { state: row.state } : null)],
  ["unknown", (picture) => (picture.row?.state === "unknown" ? caseOf(picture) : null)],
  ["stuck", stuck],
  ["failed", ({ row, caseId }) => (row?.state === "failed" && !isAnswered(row) ? caseOf({ caseId }) : null)],
  ["in_progress", inProgress],
  ["possibly_repeated", possiblyRepeated],
  ["expired_then_reused", expiredThenReused],
  ["declined", (picture) => refusedWith(picture, 400, 499)],
  ["errored", errored],
  ["executed_once", executedOnce],
  ["released", released],
  ["refused_only", refusedOnly],
  ["cleaned", cleaned],
];

/** The answer to "did this happen once?". Null where there is neither a row nor an event. */
export function verdictOf(picture: Picture): ToldVerdict | null {
  for (const [code, rule] of rules) {
    const params = rule(picture);
    if (params) return { code, params, facts: factsOf(picture) };
  }
  return null;
}

function caseOf({ caseId }: Pick<Picture, "caseId">): Params {
  return caseId === null ? { hasCase: "no" } : { hasCase: "yes", case: caseId };
}

function stuck(picture: Picture): Params | null {
  if (!picture.row || !accountOf(picture).stuck) return null;
  const { lockedUntil, createdAt } = picture.row;
  return lockedUntil
    ? { lease: "ended", at: { time: lockedUntil }, ...caseOf(picture) }
    : { lease: "none", at: { time: createdAt }, ...caseOf(picture) };
}

function inProgress({ row }: Picture): Params | null {
  if (row?.state !== "in_progress") return null;
  const since = { since: { time: row.createdAt } };
  return row.lockedUntil ? { ...since, lease: "until", until: { time: row.lockedUntil } } : { ...since, lease: "none" };
}

function possiblyRepeated(picture: Picture): Params | null {
  const others = executedOthers(picture);
  if (!picture.row || !isExecuted(picture.row) || others.length === 0) return null;
  const same = others.some(({ shares }) => shares === "fingerprint");
  const why = same ? "request" : others.some(({ shares }) => shares === "customer") ? "customer" : "reference";
  return { others: others.length, why, window: { ms: picture.profile.twinWindowMs }, at: { time: ranAt(picture) } };
}

function expiredThenReused(picture: Picture): Params | null {
  const { row, olderRows, runs } = picture;
  const lives = new Set(runs.filter(({ ended }) => ended?.kind !== "released").map(({ generation }) => generation));
  const older = olderRows.at(-1);
  if (!row || (lives.size < 2 && !older)) return null;
  const again = [row.createdAt, runs.at(-1)?.claimed.at ?? ""].sort().at(-1) ?? row.createdAt;
  const lapsedAt = older && older.createdAt < row.createdAt ? older.expiresAt : null;
  return {
    at: { time: again },
    ...(lapsedAt ? { lapse: "known", lapsedAt: { time: lapsedAt } } : { lapse: "unknown" }),
  };
}

function refusedWith(picture: Picture, from: number, to: number): Params | null {
  const { row } = picture;
  if (!row || !isAnswered(row) || row.responseStatus === null) return null;
  if (row.responseStatus < from || row.responseStatus > to) return null;
  return { at: { time: ranAt(picture) }, status: String(row.responseStatus) };
}

function errored(picture: Picture): Params | null {
  const params = refusedWith(picture, 500, Number.MAX_SAFE_INTEGER);
  if (!params) return null;
  const reference = picture.events.findLast(({ providerReference }) => providerReference)?.providerReference;
  return reference ? { ...params, has: "yes", reference } : { ...params, has: "no" };
}

function executedOnce(picture: Picture): Params | null {
  const { row, attempts, events, twinsChecked, cut, profile } = picture;
  if (!row || !isExecuted(row)) return null;
  const replays = attempts.filter(({ outcome }) => outcome === "replayed").length;
  return {
    at: { time: ranAt(picture) },
    answer: row.responseStatus === null ? "none" : "kept",
    status: String(row.responseStatus ?? ""),
    measured: cut.events ? "cut" : events.length > 0 ? "yes" : "no",
    replays,
    others: twinsChecked && !cut.others ? "none" : "unchecked",
    window: { ms: profile.twinWindowMs },
  };
}

function released(picture: Picture): Params | null {
  const end = picture.row ? null : ownRun(picture)?.ended;
  return end?.kind === "released" ? { at: { time: end.at } } : null;
}

function refusedOnly({ row, attempts, runs }: Picture): Params | null {
  if (row || runs.length > 0 || attempts.length === 0) return null;
  const ran = attempts.some(({ outcome }) => outcome !== "rejected" && outcome !== "mismatch");
  return ran ? null : { attempts: attempts.length };
}

function cleaned(picture: Picture): Params | null {
  const { row, events } = picture;
  if (row || events.length === 0) return null;
  const removal = events.findLast(({ kind }) => kind === "cleaned");
  const { state, responseStatus: status } = accountOf(picture);
  const shown = state !== "completed" ? "open" : status === null || status < 400 ? "executed" : "refused";
  return {
    by: removal ? "run" : "other",
    run: removal?.source ?? "",
    removedAt: { time: removal?.at ?? picture.now },
    shown,
    at: { time: ranAt(picture) },
    answer: status === null ? "none" : "kept",
    status: String(status ?? ""),
    others: executedOthers(picture).length,
  };
}
