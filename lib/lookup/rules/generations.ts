import type { Generation } from "../schema";
import type { KeyRow } from "./model";
import type { Picture } from "./picture";
import { outcomeOf } from "./twins";

/** The lives of a key: each began with a claim, and all but the last lapsed before the key was used again. */
export function generationsOf({ row, olderRows, runs, events }: Picture): Generation[] {
  const rows = [...olderRows, ...(row ? [row] : [])].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  if (runs.length === 0) return rows.map((own, index) => ofRow(own, index + 1));
  const starts = runs.filter((run, index) => runs[index - 1]?.generation !== run.generation);
  return starts.map(({ claimed, generation }, index) => {
    const until = starts[index + 1]?.claimed.at;
    const own = rows.findLast(({ createdAt }) => createdAt >= claimed.at && (!until || createdAt < until));
    if (own) return ofRow(own, generation);
    const told = outcomeOf(events.filter(({ at }) => at >= claimed.at && (!until || at < until)));
    return { number: generation, keyId: null, startedAt: claimed.at, lockedUntil: null, expiresAt: null, ...told };
  });
}

function ofRow({ id, createdAt, lockedUntil, expiresAt, state, responseStatus }: KeyRow, number: number): Generation {
  return { number, keyId: id, startedAt: createdAt, lockedUntil, expiresAt, state, responseStatus };
}
