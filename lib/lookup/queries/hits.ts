import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { Remembered } from "../rules/summary";
import type { MatchedAs } from "../schema";

/** Operations one identifier may lead to; past it the answer says that it was cut. */
export const MOST_HITS = 100;

/** An operation that events lead to, with what they remember of it. */
export interface Hit extends Remembered {
  as: MatchedAs;
  /** When it was claimed, each time: where its rows are. Empty where only attempts without a claim are known. */
  claims: string[];
}

/** What narrows events. Plain values, computed before the query, so that days are pruned. */
export interface EventBounds {
  from: string | null;
  to: string | null;
  endpoint: string | null;
}

const Found = z.object({
  tenantId: z.string(),
  endpoint: z.string(),
  keyHash: z.string(),
  claims: z.array(z.string()),
  firstAt: z.string(),
  fingerprint: z.string().nullable(),
  state: z.string().nullable(),
  status: z.int().nullable(),
});

/** Where each way to name an operation is looked for: events `e`, led to by an index of theirs. */
export const source = {
  key: (hash: string, bounds: EventBounds) => where(Prisma.sql`e.key_hash = decode(${hash}, 'hex')`, bounds),
  keyHash: (hash: string, bounds: EventBounds) => where(Prisma.sql`e.key_hash = decode(${hash}, 'hex')`, bounds),
  fingerprint: (hex: string, bounds: EventBounds) =>
    where(Prisma.sql`e.fingerprint = decode(${hex}, 'hex') AND e.kind = 'claimed'`, bounds),
  requestId: (id: string, bounds: EventBounds) => where(Prisma.sql`e.request_id = ${id}`, bounds),
  traceId: (id: string, bounds: EventBounds) => where(Prisma.sql`e.trace_id = ${id}`, bounds),
  providerReference: (reference: string, bounds: EventBounds) =>
    where(Prisma.sql`e.provider_reference = ${reference}`, bounds),
  /** By every name under which events may keep the customer. */
  customer: (names: readonly string[], bounds: EventBounds) =>
    where(Prisma.sql`e.customer = ANY (${names}::text[]) AND e.kind = 'claimed'`, bounds),
  reference: (reference: string, { from, to }: EventBounds) => Prisma.sql`
    idemdesk.events_by_reference(${reference}, ${low(from)}::timestamptz, ${high(to)}::timestamptz) AS e WHERE true`,
  /** From `prefix00…` to `prefixff…`; an odd digit is half a byte. */
  keyHashPrefix: (prefix: string, { from, to }: EventBounds) => Prisma.sql`
    idemdesk.events_by_hash_range(
      decode(${prefix.padEnd(64, "0")}, 'hex'), decode(${prefix.padEnd(64, "f")}, 'hex'),
      ${low(from)}::timestamptz, ${high(to)}::timestamptz) AS e WHERE true`,
} as const;

/** Events that meet a condition within the bounds. */
export function where(condition: Prisma.Sql, { from, to }: EventBounds): Prisma.Sql {
  return Prisma.sql`
    idemdesk.event AS e
    WHERE ${condition}
      AND e.key_hash IS NOT NULL
      AND e.occurred_at >= ${low(from)}::timestamptz
      AND e.occurred_at < ${high(to)}::timestamptz`;
}

const low = (from: string | null) => from ?? "-infinity";
const high = (to: string | null) => to ?? "infinity";

/** Operations that have an event in `found`, the newest first, each with what all its events say. */
export async function findHits(
  tx: Transaction,
  as: MatchedAs,
  found: Prisma.Sql,
  { endpoint }: EventBounds,
): Promise<Hit[]> {
  const hits = await tx.$queryRaw<unknown[]>(Prisma.sql`
    WITH hit AS MATERIALIZED (
      SELECT e.tenant_id, e.endpoint, e.key_hash, max(e.occurred_at) AS last_at
      FROM ${found}
        AND (${endpoint}::text IS NULL OR e.endpoint = ${endpoint})
      GROUP BY e.tenant_id, e.endpoint, e.key_hash
      ORDER BY last_at DESC, e.key_hash
      LIMIT ${MOST_HITS + 1}
    )
    SELECT hit.tenant_id::text AS "tenantId", hit.endpoint AS "endpoint", encode(hit.key_hash, 'hex') AS "keyHash",
           told.*
    FROM hit
    CROSS JOIN LATERAL (
      SELECT ${remembered}
      FROM idemdesk.event AS e
      WHERE e.tenant_id = hit.tenant_id AND e.endpoint = hit.endpoint AND e.key_hash = hit.key_hash
    ) AS told
    ORDER BY hit.last_at DESC, hit.key_hash`);
  return parseHits(as, hits);
}

/** Operations under one key hash. Every event of theirs carries it, so that one pass finds them and what they say. */
export async function findHitsByHash(tx: Transaction, as: MatchedAs, keyHash: string, to: string): Promise<Hit[]> {
  const hits = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT e.tenant_id::text AS "tenantId", e.endpoint AS "endpoint", encode(e.key_hash, 'hex') AS "keyHash",
           ${remembered}
    FROM idemdesk.event AS e
    WHERE e.key_hash = decode(${keyHash}, 'hex') AND e.occurred_at < ${to}::timestamptz
    GROUP BY e.tenant_id, e.endpoint, e.key_hash
    ORDER BY max(e.occurred_at) DESC
    LIMIT ${MOST_HITS + 1}`);
  return parseHits(as, hits);
}

function parseHits(as: MatchedAs, hits: unknown[]): Hit[] {
  return z
    .array(Found)
    .parse(hits)
    .map((hit) => ({ as, ...hit }));
}

/** What the events of one operation say together: its claims, and the state of one whose row is gone. */
const remembered = Prisma.sql`
  coalesce(array_agg(idemdesk.utc(e.occurred_at) ORDER BY e.occurred_at) FILTER (WHERE e.kind = 'claimed'), '{}')
    AS "claims",
  idemdesk.utc(min(e.occurred_at)) AS "firstAt",
  (array_agg(encode(e.fingerprint, 'hex') ORDER BY e.occurred_at DESC) FILTER (WHERE e.kind = 'claimed'))[1]
    AS "fingerprint",
  (array_agg(e.state ORDER BY e.occurred_at DESC) FILTER (WHERE e.state IS NOT NULL))[1] AS "state",
  (array_agg(e.response_status ORDER BY e.occurred_at DESC)
    FILTER (WHERE e.kind IN ('completed', 'recovered', 'reconciled')))[1] AS "status"`;
