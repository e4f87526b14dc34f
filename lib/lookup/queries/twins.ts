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

type Operation = Pick<Hit, "tenantId" | "endpoint" | "keyHash">;

const Claim = z.object({
  endpoint: z.string(),
  keyHash: z.string(),
  claimedAt: z.string(),
  shares: z.enum(["fingerprint", "customer", "reference"]),
  amount: StoredAmount.nullable(),
  currency: z.string().nullable(),
});

export interface Twins {
  twins: TwinStory[];
  nearTwins: TwinStory[];
  /** False where there were more than are shown. */
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
  const stories = kept.length > 0 ? await readStories(tx, operation, kept) : [];
  return {
    twins: stories.filter(isTwin),
    nearTwins: stories.filter(isNear),
    complete: kept.length === claims.length,
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
): Promise<TwinClaim[]> {
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
           claim."endpoint", claim."keyHash", claim."claimedAt", claim."shares", claim."amount", claim."currency"
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

/** What became of each, by its own events, and the rows that are still there. */
async function readStories(
  tx: Transaction,
  { tenantId }: Operation,
  claims: readonly TwinClaim[],
): Promise<TwinStory[]> {
  const events = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${eventColumns}
    FROM idemdesk.event AS e
    WHERE e.tenant_id = ${tenantId}::uuid
      AND e.key_hash = ANY (SELECT decode(hash, 'hex') FROM unnest(${claims.map(({ keyHash }) => keyHash)}::text[]) AS hash)
      AND e.occurred_at >= ${claims[0]?.claimedAt}::timestamptz
    ORDER BY ${eventOrder}
    LIMIT 2000`);
  const rows = await rowsOfHits(
    tx,
    claims.map(({ claimedAt, ...claim }) => ({ ...claim, tenantId, claims: [claimedAt] })),
  );
  return twinStories(claims, parseEvents(events), new Map(rows.map(({ keyHash, id }) => [keyHash, id])));
}
