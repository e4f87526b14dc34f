import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { Coverage } from "../schema";

const Found = z.object({ measured: z.boolean(), from: z.string().nullable() });

/**
 * Whether any event of the scope's tenants is kept, and since when events are kept at all: the first day that has a
 * partition. Without events nothing can be said by hash, request, trace, reference or customer.
 */
export async function readCoverage(tx: Transaction, tenantIds: readonly string[]): Promise<Coverage> {
  const [found] = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT EXISTS (
             SELECT FROM unnest(${tenantIds}::uuid[]) AS asked (tenant_id)
             CROSS JOIN LATERAL (
               SELECT FROM idemdesk.event AS e WHERE e.tenant_id = asked.tenant_id LIMIT 1) AS one
           ) AS "measured",
           (SELECT to_char(min(to_date(right(relname, 8), 'YYYYMMDD')), 'YYYY-MM-DD"T00:00:00.000000Z"')
            FROM pg_inherits
            JOIN pg_class ON pg_class.oid = inhrelid
            WHERE inhparent = 'idemdesk.event'::regclass AND relname ~ '^event_[0-9]{8}$') AS "from"`);
  return Found.parse(found);
}
