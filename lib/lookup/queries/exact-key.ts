import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { KeyRow } from "../rules/model";
import { type EventBounds, MOST_HITS } from "./hits";
import { keyColumns, parseKeyRows } from "./key-rows";

/** Tenants whose rows may be probed one by one; past it a key without events must name its tenant. */
export const MOST_TENANTS_PROBED = 5;

/**
 * Rows of an exact key whose endpoint is known, by the unique index alone. Times narrow it to the days that matter.
 */
export async function rowsOfKey(
  tx: Transaction,
  operation: { tenantIds: readonly string[]; endpoint: string; key: string },
  bounds: Pick<EventBounds, "from" | "to">,
): Promise<KeyRow[]> {
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${keyColumns}
    FROM idemdesk.key AS k
    WHERE k.tenant_id = ANY (${operation.tenantIds}::uuid[])
      AND k.endpoint = ${operation.endpoint}
      AND k.idem_key = ${operation.key}
      AND k.created_at >= ${bounds.from ?? "-infinity"}::timestamptz
      AND k.created_at < ${bounds.to ?? "infinity"}::timestamptz
    ORDER BY k.created_at DESC
    LIMIT ${MOST_HITS + 1}`);
  return parseKeyRows(rows);
}

/**
 * Rows of an exact key whose endpoint is not known. Steps from endpoint to endpoint through the unique index (a loose
 * index scan): asking for tenant and key alone would read every key of the tenant.
 */
export async function rowsOfKeyAnywhere(
  tx: Transaction,
  tenantIds: readonly string[],
  key: string,
  bounds: Pick<EventBounds, "from" | "to">,
): Promise<KeyRow[]> {
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    WITH RECURSIVE place AS (
      SELECT tenant_id, (
        SELECT k.endpoint FROM idemdesk.key AS k
        WHERE k.tenant_id = asked.tenant_id
        ORDER BY k.endpoint LIMIT 1) AS endpoint
      FROM unnest(${tenantIds}::uuid[]) AS asked (tenant_id)
      UNION ALL
      SELECT place.tenant_id, (
        SELECT k.endpoint FROM idemdesk.key AS k
        WHERE k.tenant_id = place.tenant_id AND k.endpoint > place.endpoint
        ORDER BY k.endpoint LIMIT 1)
      FROM place
      WHERE place.endpoint IS NOT NULL
    )
    SELECT ${keyColumns}
    FROM place
    CROSS JOIN LATERAL (
      SELECT k.*
      FROM idemdesk.key AS k
      WHERE k.tenant_id = place.tenant_id
        AND k.endpoint = place.endpoint
        AND k.idem_key = ${key}
        AND k.created_at >= ${bounds.from ?? "-infinity"}::timestamptz
        AND k.created_at < ${bounds.to ?? "infinity"}::timestamptz
    ) AS k
    LIMIT ${MOST_HITS + 1}`);
  return parseKeyRows(rows);
}
