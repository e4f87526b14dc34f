import "server-only";
import type { Transaction } from "@/lib/db/client";
import type { Asked } from "../rules/asked";
import type { ToldVerdict } from "../rules/verdict";
import type { Coverage, Params, SearchAnswer, SearchInput } from "../schema";
import type { Speaker } from "../speaker";
import type { Found } from "./candidates";
import { readCoverage } from "./coverage";

/** What one reading found. */
export interface Answered extends Found {
  asked: Asked;
}

interface Account {
  tenantIds: readonly string[];
  input: SearchInput;
  found: readonly Answered[];
  isEmpty: boolean;
}

type Told = Pick<SearchAnswer, "searched" | "notSearched" | "verdict">;

/** What a search looked at and what it could not: said with every answer, and the ground of "never seen". */
export async function accountOfSearch(tx: Transaction, account: Account): Promise<(say: Speaker) => Told> {
  const { tenantIds, found } = account;
  const missed = found.some(({ candidates, places }) => candidates.length === 0 && places.includes("events"));
  const coverage = missed ? await readCoverage(tx, tenantIds) : { measured: true, from: null };
  return (say) => {
    const notSearched = found.flatMap((one) => untriedOf(one, coverage, tenantIds.length, say));
    const verdict = isAnswerable(account) ? say.verdict(emptyVerdict(coverage, notSearched.length)) : null;
    return { searched: found.flatMap((one) => searchedOf(one, account, coverage, say)), notSearched, verdict };
  };
}

function searchedOf({ asked, places }: Answered, { input, tenantIds }: Account, coverage: Coverage, say: Speaker) {
  const { from = null, to = null } = input;
  return places
    .filter((where) => where === "keys" || coverage.measured)
    .map((where) => {
      const since: Params = coverage.from ? { since: "known", from: { time: coverage.from } } : { since: "all" };
      const params: Params = { by: asked.as, ...(where === "keys" ? { tenants: tenantIds.length } : since) };
      const code = where === "keys" ? "rows" : "events";
      return { by: asked.as, where, from, to, ...say.searched({ code, params }) };
    });
}

function untriedOf({ asked, places, untried }: Answered, coverage: Coverage, tenants: number, say: Speaker) {
  const blind = places.includes("events") && !coverage.measured ? ["noEvents" as const] : [];
  const params = { by: asked.as, tenants };
  return [...blind, ...untried].map((code) => ({ by: asked.as, ...say.notSearched({ code, params }) }));
}

/** A search that was narrowed says nothing about what lies outside it. */
function isAnswerable({ isEmpty, input: { endpoint, states, phase, statusClass, from, to } }: Account): boolean {
  return isEmpty && [endpoint, states, phase, statusClass, from, to].every((filter) => filter === undefined);
}

function emptyVerdict({ from }: Coverage, left: number): ToldVerdict {
  if (left > 0) return { code: "not_searchable", params: {}, facts: [] };
  return { code: "never_seen", params: from ? { since: "known", from: { time: from } } : { since: "all" }, facts: [] };
}
