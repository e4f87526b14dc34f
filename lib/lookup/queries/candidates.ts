import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import { hashKey } from "@/lib/idempotency/key-hash";
import { customerNames } from "@/lib/privacy/customer";
import { bodyKeyRing } from "@/lib/privacy/key-ring";
import type { AmountAsked, Asked } from "../rules/asked";
import type { KeyRow } from "../rules/model";
import type { MatchedAs } from "../schema";
import { MOST_TENANTS_PROBED, rowsOfKey, rowsOfKeyAnywhere } from "./exact-key";
import { type EventBounds, findHits, findHitsByHash, type Hit, MOST_HITS, source, where } from "./hits";
import { keyColumns, parseKeyRows } from "./key-rows";
import { rowsOfHits } from "./rows-of-hits";

/** An operation that was found: its row, or what events remember of one that is gone. */
export type Candidate = { as: MatchedAs; row: KeyRow } | { as: MatchedAs; gone: Hit };

/** Why a reading was not, or not wholly, looked for. */
type Untried = "tooManyPlaces" | "emailHashed" | "noTimeRange" | "cut";

export interface Found {
  candidates: Candidate[];
  /** Where it was looked for. */
  places: ("keys" | "events")[];
  untried: Untried[];
}

/** `to` is always there: days ahead hold nothing and need not be opened. `isNarrowed`: the caller asked for it. */
export interface ReachBounds extends EventBounds {
  to: string;
  isNarrowed: boolean;
}

export interface Reach {
  tenantIds: readonly string[];
  bounds: ReachBounds;
}

/** Finds the operations that one reading names. */
export async function findCandidates(tx: Transaction, asked: Asked, reach: Reach): Promise<Found> {
  switch (asked.as) {
    case "id":
      return findById(tx, asked.value, reach);
    case "key":
      return findByKey(tx, asked.value, reach);
    case "keyHash":
      return fromHits(tx, await hitsOfHash(tx, "keyHash", asked.value, reach.bounds));
    case "amount":
      return findByAmount(tx, asked, reach);
    case "customer":
      return findByCustomer(tx, asked.value, reach);
  }
  return fromHits(tx, await findHits(tx, asked.as, source[asked.as](asked.value, reach.bounds), reach.bounds));
}

/** In one pass where nothing narrows it; within bounds, an operation's other events are asked for as well. */
function hitsOfHash(tx: Transaction, as: "key" | "keyHash", hash: string, bounds: ReachBounds): Promise<Hit[]> {
  const { from, endpoint, isNarrowed } = bounds;
  return from === null && endpoint === null && !isNarrowed
    ? findHitsByHash(tx, as, hash, bounds.to)
    : findHits(tx, as, source[as](hash, bounds), bounds);
}

async function fromHits(tx: Transaction, hits: Hit[]): Promise<Found> {
  const kept = hits.slice(0, MOST_HITS);
  const rows = await rowsOfHits(tx, kept);
  const candidates = kept.flatMap((hit): Candidate[] => {
    const own = rows.filter((row) => isSame(row, hit));
    return own.length > 0 ? own.map((row) => ({ as: hit.as, row })) : [{ as: hit.as, gone: hit }];
  });
  return { candidates, places: ["events"], untried: hits.length > kept.length ? ["cut"] : [] };
}

function isSame(row: KeyRow, hit: Hit): boolean {
  return row.keyHash === hit.keyHash && row.tenantId === hit.tenantId && row.endpoint === hit.endpoint;
}

async function findById(tx: Transaction, id: string, { tenantIds }: Reach): Promise<Found> {
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${keyColumns}
    FROM idemdesk.key AS k
    WHERE k.id = ${id}::bigint AND k.tenant_id = ANY (${tenantIds}::uuid[])`);
  return { candidates: parseKeyRows(rows).map((row) => ({ as: "id", row })), places: ["keys"], untried: [] };
}

/** With its endpoint, by the unique index; else through events; else, for few tenants, from endpoint to endpoint. */
async function findByKey(tx: Transaction, key: string, { tenantIds, bounds }: Reach): Promise<Found> {
  const inKeys = (rows: KeyRow[], places: Found["places"]): Found => {
    return { candidates: rows.map((row) => ({ as: "key", row })), places, untried: [] };
  };
  const { endpoint } = bounds;
  const known = endpoint === null ? [] : await rowsOfKey(tx, { tenantIds, endpoint, key }, bounds);
  if (known.length > 0) return inKeys(known, ["keys"]);
  const hits = await hitsOfHash(tx, "key", hashKey(key), bounds);
  if (hits.length > 0) return withUnclaimed(tx, key, await fromHits(tx, hits), bounds);
  if (endpoint !== null) return inKeys([], ["events", "keys"]);
  if (tenantIds.length > MOST_TENANTS_PROBED) {
    return { candidates: [], places: ["events"], untried: ["tooManyPlaces"] };
  }
  return inKeys(await rowsOfKeyAnywhere(tx, tenantIds, key, bounds), ["events", "keys"]);
}

/** A row whose claim no event tells of is still there to be found by its exact key. */
async function withUnclaimed(tx: Transaction, key: string, found: Found, bounds: EventBounds): Promise<Found> {
  const candidates: Candidate[] = [];
  for (const candidate of found.candidates) {
    const rows = "gone" in candidate ? await rowsOfKey(tx, named(candidate.gone, key), bounds) : [];
    candidates.push(...(rows.length > 0 ? rows.map((row): Candidate => ({ as: "key", row })) : [candidate]));
  }
  return { ...found, candidates, places: ["events", "keys"] };
}

function named({ tenantId, endpoint }: Hit, key: string) {
  return { tenantIds: [tenantId], endpoint, key };
}

/** An e-mail address has other names in each tenant, and none where no key is configured to make them. */
async function findByCustomer(tx: Transaction, customer: string, { tenantIds, bounds }: Reach): Promise<Found> {
  const ring = bodyKeyRing();
  const names = [...new Set(tenantIds.flatMap((tenantId) => customerNames(ring, tenantId, customer)))];
  if (names.length === 0) return { candidates: [], places: [], untried: ["emailHashed"] };
  return fromHits(tx, await findHits(tx, "customer", source.customer(names, bounds), bounds));
}

async function findByAmount(tx: Transaction, asked: AmountAsked, { tenantIds, bounds }: Reach): Promise<Found> {
  if (bounds.from === null || !bounds.isNarrowed) {
    return { candidates: [], places: [], untried: ["noTimeRange"] };
  }
  const condition = Prisma.sql`e.tenant_id = ANY (${tenantIds}::uuid[]) AND e.amount = ${asked.amount}::bigint
    AND e.currency = ${asked.currency} AND e.kind = 'claimed'`;
  return fromHits(tx, await findHits(tx, "amount", where(condition, bounds), bounds));
}
