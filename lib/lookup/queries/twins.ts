import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { EventRow } from "../rules/model";
import { shift } from "../rules/times";
import { type TwinClaim, type TwinStory, twinStories } from "../rules/twins";
import { eventColumns, eventOrder, parseEvents, StoredAmount } from "./event-rows";
import type { Hit } from "./hits";
import { rowsOfHits } from "./rows-of-hits";

/** Other keys shown of each sort. */
const MOST_TWINS = 50;

/** Events read of all of them together, apart from replays. */
const MOST_STORY_EVENTS = 2_000;

/** Kinds that change what became of an operation. Attempts turned away do not, however many there are. */
const deciding = ["claimed", "completed", "released", "failed", "marked_unknown", "recovered", "reconciled"];

type Operation = Pick<Hit, "tenantId" | "endpoint" | "keyHash">;

const Claim = z.object({
  endpoint: z.string(),
  keyHash: z.string(),
  claimedAt: z.string(),
  shares: z.enum(["fingerprint", "customer", "reference"]),
  amount: StoredAmount.nullable(),
  currency: z.string().nullable(),
  /** There were more claims than were read. */
  cut: z.boolean(),
});

export interface Twins {
  twins: TwinStory[];
  nearTwins: TwinStory[];
  /** False where some were not read, or not to their end: another that executed may be missing. */
  complete: boolean;
}

/** Other keys of the same endpoint near in time: the same request, or the same customer or order and amount. */
export async function readTwins(
  tx: Transaction,
  operation: Operation,
  claim: EventRow,
  windowMs: number,
): Promise<Twins> {
  const claims = await readClaims(tx, operation, claim, windowMs);
  const kept = [...claims.filter(isTwin).slice(0, MOST_TWINS), ...claims.filter(isNear).slice(0, MOST_TWINS)];
  if (kept.length === 0) return { twins: [], nearTwins: [], complete: true };
  const { stories, whole } = await readStories(tx, operation, kept);
  return {
    twins: stories.filter(isTwin),
    nearTwins: stories.filter(isNear),
    complete: whole && !claims.some(({ cut }) => cut),
  };
}

const isTwin = ({ shares }: { shares: string }) => shares === "fingerprint";
const isNear = ({ shares }: { shares: string }) => shares !== "fingerprint";

/** Claims within the window, one for each key; a twin is not also a near twin. */
async function readClaims(
  tx: Transaction,
  { tenantId, endpoint, keyHash }: Operation,
  { at, fingerprint, amount, currency, customer, references }: EventRow,
  windowMs: number,
): Promise<z.infer<typeof Claim>[]> {
  const [from, to] = [shift(at, -windowMs), shift(at, windowMs)];
  const columns = Prisma.sql`
    e.endpoint AS "endpoint", encode(e.key_hash, 'hex') AS "keyHash", e.occurred_at,
    idemdesk.utc(e.occurred_at) AS "claimedAt", e.amount AS "amount", e.currency AS "currency"`;
  const near = Prisma.sql`
    e.tenant_id = ${tenantId}::uuid AND e.endpoint = ${endpoint} AND e.kind = 'claimed'
    AND e.key_hash <> decode(${keyHash}, 'hex')
    AND e.occurred_at >= ${from}::timestamptz AND e.occurred_at <= ${to}::timestamptz`;
  const claims = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT DISTINCT ON (claim."keyHash")
           claim."endpoint", claim."keyHash", claim."claimedAt", claim."shares", claim."amount", claim."currency",
           greatest(count(*) FILTER (WHERE claim.rank = 1) OVER (), count(*) FILTER (WHERE claim.rank = 2) OVER ())
             > ${MOST_TWINS} AS "cut"
    FROM (
      (SELECT ${columns}, 'fingerprint' AS "shares", 1 AS rank
       FROM idemdesk.event AS e
       WHERE e.fingerprint = decode(${fingerprint}, 'hex') AND ${near}
       ORDER BY e.occurred_at LIMIT ${MOST_TWINS + 1})
      UNION ALL
      (SELECT ${columns}, CASE WHEN e.customer = ${customer} THEN 'customer' ELSE 'reference' END AS "shares", 2 AS rank
       FROM idemdesk.event AS e
       WHERE e.amount = ${amount === null ? null : String(amount)}::bigint AND e.currency = ${currency} AND ${near}
         AND (e.customer = ${customer} OR e.refs && ${references}::text[])
         AND e.fingerprint IS DISTINCT FROM decode(${fingerprint}, 'hex')
       ORDER BY e.occurred_at LIMIT ${MOST_TWINS + 1})
    ) AS claim
    ORDER BY claim."keyHash", claim.rank, claim.occurred_at`);
  return z
    .array(Claim)
    .parse(claims)
    .sort((a, b) => (a.claimedAt < b.claimedAt ? -1 : 1));
}

/** What became of each, by its own events, and the rows that are still there; `whole` where no event was left out. */
async function readStories(
  tx: Transaction,
  operation: Operation,
  claims: readonly z.infer<typeof Claim>[],
): Promise<{ stories: TwinStory[]; whole: boolean }> {
  const events = await readStoryEvents(tx, operation, claims);
  const told = claims.map(({ cut: _, ...claim }): TwinClaim => claim);
  const rows = await rowsOfHits(
    tx,
    told.map(({ claimedAt, ...claim }) => ({ ...claim, tenantId: operation.tenantId, claims: [claimedAt] })),
  );
  return {
    stories: twinStories(told, events, new Map(rows.map(({ keyHash, id }) => [keyHash, id]))),
    whole: events.filter(({ kind }) => kind !== "replayed").length <= MOST_STORY_EVENTS,
  };
}

/** The events that decide, one more than the bound where it cuts, and each key's first replay: it brought an answer. */
async function readStoryEvents(
  tx: Transaction,
  { tenantId, endpoint }: Operation,
  claims: readonly TwinClaim[],
): Promise<EventRow[]> {
  const first = claims.map(({ claimedAt }) => claimedAt).sort()[0];
  const own = Prisma.sql`
    e.tenant_id = ${tenantId}::uuid AND e.endpoint = ${endpoint}
    AND e.key_hash = ANY (SELECT decode(hash, 'hex') FROM unnest(${claims.map(({ keyHash }) => keyHash)}::text[]) AS hash)
    AND e.occurred_at >= ${first}::timestamptz`;
  const events = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${eventColumns}
    FROM (
      (SELECT e.* FROM idemdesk.event AS e
       WHERE ${own} AND e.kind = ANY (${deciding}::text[])
       ORDER BY ${eventOrder} LIMIT ${MOST_STORY_EVENTS + 1})
      UNION ALL
      (SELECT DISTINCT ON (e.key_hash) e.* FROM idemdesk.event AS e
       WHERE ${own} AND e.kind = 'replayed'
       ORDER BY e.key_hash, e.occurred_at)
    ) AS e
    ORDER BY ${eventOrder}`);
  return parseEvents(events);
}
