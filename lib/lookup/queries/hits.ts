import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { MatchedAs } from "../schema";

/** Operations one identifier may lead to; past it the answer says that it was cut. */
export const MOST_HITS = 100;

/** An operation that events lead to, with what they remember of it. */
export interface Hit {
  as: MatchedAs;
  tenantId: string;
  endpoint: string;
  keyHash: string;
  /** When it was claimed, each time: where its rows are. Empty where only attempts without a claim are known. */
  claims: string[];
  firstAt: string;
  fingerprint: string | null;
  state: string | null;
  status: number | null;
}

/** What narrows events before they are grouped. Plain values, computed before the query, so that days are pruned. */
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

/** Conditions on an event `e`, one for each way to name an operation. */
export const byIdentifier = {
  key: (hash: string) => Prisma.sql`e.key_hash = decode(${hash}, 'hex')`,
  keyHash: (hash: string) => Prisma.sql`e.key_hash = decode(${hash}, 'hex')`,
  keyHashPrefix: (prefix: string) => hashRange(prefix),
  fingerprint: (hex: string) => Prisma.sql`e.fingerprint = decode(${hex}, 'hex') AND e.kind = 'claimed'`,
  requestId: (id: string) => Prisma.sql`e.request_id = ${id}`,
  traceId: (id: string) => Prisma.sql`e.trace_id = ${id}`,
  providerReference: (reference: string) => Prisma.sql`e.provider_reference = ${reference}`,
  customer: (customer: string) => Prisma.sql`e.customer = ${customer} AND e.kind = 'claimed'`,
} as const;

/** The bytes from `prefix00…` to `prefixff…`; an odd digit is half a byte. */
function hashRange(prefix: string): Prisma.Sql {
  const low = prefix.padEnd(64, "0");
  const high = prefix.padEnd(64, "f");
  return Prisma.sql`e.key_hash >= decode(${low}, 'hex') AND e.key_hash <= decode(${high}, 'hex')`;
}

/** Operations whose events meet the condition, the newest first. */
export async function findHits(
  tx: Transaction,
  as: MatchedAs,
  condition: Prisma.Sql,
  bounds: EventBounds,
): Promise<Hit[]> {
  const found = await tx.$queryRaw<unknown[]>(Prisma.sql`
    WITH hit AS MATERIALIZED (
      SELECT e.tenant_id, e.endpoint, e.key_hash, max(e.occurred_at) AS last_at
      FROM idemdesk.event AS e
      WHERE ${condition}
        AND e.key_hash IS NOT NULL
        AND e.occurred_at >= ${bounds.from ?? "-infinity"}::timestamptz
        AND e.occurred_at < ${bounds.to ?? "infinity"}::timestamptz
        AND (${bounds.endpoint}::text IS NULL OR e.endpoint = ${bounds.endpoint})
      GROUP BY e.tenant_id, e.endpoint, e.key_hash
      ORDER BY last_at DESC, e.key_hash
      LIMIT ${MOST_HITS + 1}
    )
    ${remember}`);
  return z
    .array(Found)
    .parse(found)
    .map((hit) => ({ as, ...hit }));
}

/** Orders and invoices, through the function that may use their index. */
export async function findHitsByReference(tx: Transaction, reference: string, bounds: EventBounds): Promise<Hit[]> {
  const found = await tx.$queryRaw<unknown[]>(Prisma.sql`
    WITH hit AS MATERIALIZED (
      SELECT e.tenant_id, e.endpoint, e.key_hash, max(e.occurred_at) AS last_at
      FROM idemdesk.events_by_reference(
        ${reference}, ${bounds.from ?? "-infinity"}::timestamptz, ${bounds.to ?? "infinity"}::timestamptz) AS e
      WHERE (${bounds.endpoint}::text IS NULL OR e.endpoint = ${bounds.endpoint})
      GROUP BY e.tenant_id, e.endpoint, e.key_hash
      ORDER BY last_at DESC, e.key_hash
      LIMIT ${MOST_HITS + 1}
    )
    ${remember}`);
  return z
    .array(Found)
    .parse(found)
    .map((hit) => ({ as: "reference", ...hit }));
}

/** What all events of each hit say: its claims, and the state of one whose row is gone. */
const remember = Prisma.sql`
  SELECT hit.tenant_id::text AS "tenantId", hit.endpoint AS "endpoint", encode(hit.key_hash, 'hex') AS "keyHash",
         told.claims AS "claims", told.first_at AS "firstAt", told.fingerprint AS "fingerprint",
         told.state AS "state", told.status AS "status"
  FROM hit
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(idemdesk.utc(e.occurred_at) ORDER BY e.occurred_at) FILTER (WHERE e.kind = 'claimed'), '{}')
             AS claims,
           idemdesk.utc(min(e.occurred_at)) AS first_at,
           (array_agg(encode(e.fingerprint, 'hex') ORDER BY e.occurred_at) FILTER (WHERE e.kind = 'claimed'))[1]
             AS fingerprint,
           (array_agg(e.state ORDER BY e.occurred_at DESC) FILTER (WHERE e.state IS NOT NULL))[1] AS state,
           (array_agg(e.response_status ORDER BY e.occurred_at DESC)
             FILTER (WHERE e.kind IN ('completed', 'recovered', 'reconciled')))[1] AS status
    FROM idemdesk.event AS e
    WHERE e.tenant_id = hit.tenant_id AND e.endpoint = hit.endpoint AND e.key_hash = hit.key_hash
  ) AS told
  ORDER BY hit.last_at DESC, hit.key_hash`;
