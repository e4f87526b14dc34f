import "server-only";
import type { Transaction } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import type { Reader } from "@/lib/i18n/locale";
import { type Asked, groupsOf } from "../rules/asked";
import { summaryOf, summaryOfGone, type Yardstick } from "../rules/summary";
import { shift } from "../rules/times";
import { type KeySummary, type SearchAnswer, type SearchInput, sortOrders } from "../schema";
import { speaker } from "../speaker";
import { type Candidate, findCandidates, type Reach, type ReachBounds } from "./candidates";
import { type Answered, accountOfSearch } from "./search-account";
import { searchList } from "./search-list";
import { readTenantIds, readYardstick } from "./yardstick";

/**
 * Finds operations by whatever names them, or lists them. Everything within the scope: another tenant's operation is
 * simply not there. The answer says what was looked at, and "never seen" only when nothing was left out.
 */
export function searchKeys(scope: Scope, input: SearchInput, reader: Reader): Promise<SearchAnswer> {
  const groups = groupsOf(input);
  return scopedRead(scope, async (tx) => {
    const yardstick = await readYardstick(tx);
    const tenantIds = scope.tenants === "*" ? await readTenantIds(tx) : scope.tenants;
    if (groups.length === 0) return searchList(tx, { scope, tenantIds, input, yardstick, say: speaker(reader) });
    const found = await findAll(tx, groups, { tenantIds, bounds: boundsOf(input, yardstick.now) });
    const items = narrow(intersect(groups, found), input, yardstick);
    const account = await accountOfSearch(tx, { tenantIds, input, found, isEmpty: items.length === 0 });
    return { items, nextCursor: null, ...account(speaker(reader)) };
  });
}

/** Without an end of its own a search ends a day ahead: senders' clocks may be fast, days after that are empty. */
function boundsOf({ endpoint, from, to }: SearchInput, now: string): ReachBounds {
  return { endpoint: endpoint ?? null, from: from ?? null, to: to ?? shift(now, DAY_MS), isNarrowed: to !== undefined };
}

const DAY_MS = 86_400_000;

async function findAll(tx: Transaction, groups: Asked[][], reach: Reach): Promise<Answered[]> {
  const found: Answered[] = [];
  for (const asked of groups.flat()) found.push({ asked, ...(await findCandidates(tx, asked, reach)) });
  return found;
}

/** Operations that every group names, each once, under the first reading that found it. */
function intersect(groups: Asked[][], found: readonly Answered[]): Candidate[] {
  const [first = new Map(), ...others] = groups.map((group) =>
    union(found.filter(({ asked }) => group.includes(asked))),
  );
  return [...first].filter(([name]) => others.every((other) => other.has(name))).map(([, candidate]) => candidate);
}

function union(found: readonly Answered[]): Map<string, Candidate> {
  const named = new Map<string, Candidate>();
  for (const candidate of found.flatMap(({ candidates }) => candidates)) {
    const name = nameOf(candidate);
    if (!named.has(name)) named.set(name, candidate);
  }
  return named;
}

function nameOf(candidate: Candidate): string {
  const { tenantId, endpoint, keyHash } = "row" in candidate ? candidate.row : candidate.gone;
  return JSON.stringify([tenantId, endpoint, keyHash, "row" in candidate ? candidate.row.id : null]);
}

/** Filters and order, over the few that were found. */
function narrow(candidates: readonly Candidate[], input: SearchInput, yardstick: Yardstick): KeySummary[] {
  const sign = sortOrders[input.sort] === "asc" ? 1 : -1;
  return candidates
    .map((found) => ("row" in found ? summaryOf(found.row, yardstick, found.as) : summaryOfGone(found.gone, found.as)))
    .filter((item) => passes(item, input))
    .sort((a, b) => sign * (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
    .slice(0, input.limit);
}

function passes(item: KeySummary, { states, phase, statusClass, endpoint }: SearchInput): boolean {
  const { state, responseStatus: status } = item;
  return (
    (endpoint === undefined || item.endpoint === endpoint) &&
    (!states || (state !== null && states.includes(state))) &&
    (phase === undefined || item.phase === phase) &&
    (statusClass === undefined || (status !== null && `${Math.floor(status / 100)}xx` === statusClass))
  );
}
