import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { KeyRow } from "../rules/model";
import type { KeyFilter } from "../schema";
import { keyColumns, parseKeyRows } from "./key-rows";

/** The row a page ends with. Its time is text, so that no microsecond is lost. */
interface Position {
  createdAt: string;
  id: string;
}

export interface ListRequest extends KeyFilter {
  direction: "asc" | "desc";
  after: Position | null;
  limit: number;
}

/** One page of keys by time of creation; one row more than asked says that there is a next page. */
export async function listKeys(tx: Transaction, tenantIds: readonly string[], request: ListRequest): Promise<KeyRow[]> {
  const order = orders[request.direction];
  const found = isOpenOnly(request) ? openRows(tenantIds, request) : rowsByTime(tenantIds, request);
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    WITH page AS MATERIALIZED (
      SELECT found.tenant_id, found.id, found.created_at
      FROM (${found}) AS found
      ORDER BY ${order(Prisma.sql`found`)}
      LIMIT ${request.limit + 1}
    )
    SELECT ${keyColumns}
    FROM page
    JOIN idemdesk.key AS k
      ON k.tenant_id = page.tenant_id AND k.created_at = page.created_at AND k.id = page.id
    ORDER BY ${order(Prisma.sql`k`)}`);
  return parseKeyRows(rows);
}

const orders = {
  asc: (of: Prisma.Sql) => Prisma.sql`${of}.created_at ASC, ${of}.id ASC`,
  desc: (of: Prisma.Sql) => Prisma.sql`${of}.created_at DESC, ${of}.id DESC`,
};

/** Each tenant's rows in the order of their index, then merged: no page sorts more than its length of each tenant. */
function rowsByTime(tenantIds: readonly string[], request: ListRequest): Prisma.Sql {
  return Prisma.sql`
    SELECT k.tenant_id, k.id, k.created_at
    FROM unnest(${tenantIds}::uuid[]) AS asked (tenant_id)
    CROSS JOIN LATERAL (
      SELECT k.tenant_id, k.id, k.created_at
      FROM idemdesk.key AS k
      WHERE k.tenant_id = asked.tenant_id AND ${narrowed(request)}
      ORDER BY ${orders[request.direction](Prisma.sql`k`)}
      LIMIT ${request.limit + 1}
    ) AS k`;
}

/**
 * Rows that are not completed are few and have a partial index of their own. OFFSET 0 keeps the order out of the choice
 * of index: in order of time, they would be looked for among all the completed ones.
 */
function openRows(tenantIds: readonly string[], request: ListRequest): Prisma.Sql {
  return Prisma.sql`
    SELECT k.tenant_id, k.id, k.created_at
    FROM idemdesk.key AS k
    WHERE k.state <> 'completed' AND k.tenant_id = ANY (${tenantIds}::uuid[]) AND ${narrowed(request)}
    OFFSET 0`;
}

function isOpenOnly({ states }: KeyFilter): boolean {
  return states !== undefined && !states.includes("completed");
}

/** Page and filters, each literal: an endpoint is compared whole, so `%` is a percent sign. */
function narrowed({ endpoint, states, phase, statusClass, from, to, after, direction }: ListRequest): Prisma.Sql {
  const parts = [
    Prisma.sql`k.created_at >= ${from ?? "-infinity"}::timestamptz`,
    Prisma.sql`k.created_at < ${to ?? "infinity"}::timestamptz`,
  ];
  if (after) parts.push(pageAfter(after, direction));
  if (endpoint !== undefined) parts.push(Prisma.sql`k.endpoint = ${endpoint}`);
  if (states) parts.push(Prisma.sql`k.state = ANY (${states}::text[])`);
  if (phase === "lapsed") parts.push(Prisma.sql`k.state = 'completed' AND k.expires_at <= clock_timestamp()`);
  if (phase === "live") parts.push(Prisma.sql`(k.state <> 'completed' OR k.expires_at > clock_timestamp())`);
  if (statusClass) {
    const least = Number(statusClass[0]) * 100;
    parts.push(Prisma.sql`k.response_status >= ${least} AND k.response_status < ${least + 100}`);
  }
  return Prisma.join(parts, " AND ");
}

function pageAfter({ createdAt, id }: Position, direction: "asc" | "desc"): Prisma.Sql {
  const place = Prisma.sql`(${createdAt}::timestamptz, ${id}::bigint)`;
  return direction === "asc"
    ? Prisma.sql`(k.created_at, k.id) > ${place}`
    : Prisma.sql`(k.created_at, k.id) < ${place}`;
}
