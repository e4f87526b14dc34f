import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { KeyRow } from "../rules/model";
import type { KeyFilter } from "../schema";
import { keyColumns, parseKeyRows } from "./key-rows";

/** The row a page ends with. Its time is text, so that no microsecond is lost. */
export interface Position {
  createdAt: string;
  id: string;
}

export interface ListRequest extends KeyFilter {
  direction: "asc" | "desc";
  after: Position | null;
  limit: number;
}

/**
 * One page of keys by time of creation. Each tenant's rows come in the order of their index and are merged, so that no
 * page sorts more than `limit` rows of each tenant. One row more than asked says that there is a next page.
 */
export async function listKeys(tx: Transaction, tenantIds: readonly string[], request: ListRequest): Promise<KeyRow[]> {
  const order = orders[request.direction];
  const limit = request.limit + 1;
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${keyColumns}
    FROM unnest(${tenantIds}::uuid[]) AS asked (tenant_id)
    CROSS JOIN LATERAL (
      SELECT k.*
      FROM idemdesk.key AS k
      WHERE k.tenant_id = asked.tenant_id
        AND k.created_at >= ${request.from ?? "-infinity"}::timestamptz
        AND k.created_at < ${request.to ?? "infinity"}::timestamptz
        AND ${pageAfter(request)}
        AND ${narrowed(request)}
      ORDER BY ${order}
      LIMIT ${limit}
    ) AS k
    ORDER BY ${order}
    LIMIT ${limit}`);
  return parseKeyRows(rows);
}

const orders = {
  asc: Prisma.sql`k.created_at ASC, k.id ASC`,
  desc: Prisma.sql`k.created_at DESC, k.id DESC`,
};

function pageAfter({ after, direction }: ListRequest): Prisma.Sql {
  if (!after) return Prisma.sql`true`;
  const place = Prisma.sql`(${after.createdAt}::timestamptz, ${after.id}::bigint)`;
  return direction === "asc"
    ? Prisma.sql`(k.created_at, k.id) > ${place}`
    : Prisma.sql`(k.created_at, k.id) < ${place}`;
}

/** The filters that rows answer, each literal: an endpoint is compared whole, so `%` is a percent sign. */
export function narrowed({ endpoint, states, phase, statusClass }: KeyFilter): Prisma.Sql {
  const parts = [Prisma.sql`true`];
  if (endpoint !== undefined) parts.push(Prisma.sql`k.endpoint = ${endpoint}`);
  if (states) parts.push(Prisma.sql`k.state = ANY (${states}::text[])`);
  // Said apart, so that the partial index over open rows is seen to cover it.
  if (states && !states.includes("completed")) parts.push(Prisma.sql`k.state <> 'completed'`);
  if (phase === "lapsed") parts.push(Prisma.sql`k.state = 'completed' AND k.expires_at <= clock_timestamp()`);
  if (phase === "live") parts.push(Prisma.sql`(k.state <> 'completed' OR k.expires_at > clock_timestamp())`);
  if (statusClass) {
    const from = Number(statusClass[0]) * 100;
    parts.push(Prisma.sql`k.response_status >= ${from} AND k.response_status < ${from + 100}`);
  }
  return Prisma.join(parts, " AND ");
}
