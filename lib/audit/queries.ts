import "server-only";
import { z } from "zod";
import { Prisma } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import { makeCursor, readCursor } from "@/lib/http/cursor";
import { notFound } from "@/lib/http/errors";
import { cutPage } from "@/lib/http/paging";
import { AuditEntry, type AuditFilter } from "./schema";

/** Whose entries a reader may see: everybody's in these tenants (`*`: all, and the system's), elsewhere their own. */
export interface AuditReach {
  full: "*" | readonly string[];
  principalId: string;
}

interface Page {
  limit: number;
  cursor?: string | undefined;
}

const Position = z.object({ at: z.string(), chain: z.string(), seq: z.string() });

/** Entries in scope, newest first. */
export async function listAudit(
  scope: Scope,
  reach: AuditReach,
  filter: AuditFilter,
  { limit, cursor }: Page,
): Promise<{ items: AuditEntry[]; nextCursor: string | null }> {
  const binding = { scope, filter: { list: "audit", ...filter, reach } };
  const after = cursor === undefined ? null : await readCursor(binding, cursor, Position);
  const conditions = [...filterSql(filter), ...reachSql(reach), ...(after ? [followsSql(after)] : [])];
  const rows = await scopedRead(
    scope,
    (tx) => tx.$queryRaw<unknown[]>`
      ${selectEntry}
      ${conditions.length > 0 ? Prisma.sql`WHERE ${Prisma.join(conditions, " AND ")}` : Prisma.empty}
      ORDER BY at DESC, chain DESC, seq DESC
      LIMIT ${limit + 1}`,
  );
  const { items, last } = cutPage(rows.map(toEntry), limit);
  return { items, nextCursor: last && (await makeCursor(binding, { at: last.at, chain: last.chain, seq: last.seq })) };
}

/** One entry with its exact text and hashes; `not_found` where it is out of reach. */
export async function findAuditEntry(
  scope: Scope,
  reach: AuditReach,
  { chain, seq }: { chain: string; seq: string },
): Promise<AuditEntry> {
  const conditions = [Prisma.sql`chain = ${chain}`, Prisma.sql`seq = ${seq}::bigint`, ...reachSql(reach)];
  const [row] = await scopedRead(
    scope,
    (tx) => tx.$queryRaw<unknown[]>`${selectEntry} WHERE ${Prisma.join(conditions, " AND ")}`,
  );
  if (row === undefined) throw notFound();
  return toEntry(row);
}

const selectEntry = Prisma.sql`
  SELECT chain, seq::text, idemdesk.utc(at) AS at,
         json_build_object('kind', actor_kind, 'id', actor_id, 'label', actor_label) AS actor,
         action, json_build_object('type', target_type, 'id', target_id) AS target, outcome, reason,
         text::json -> 'details' AS details, text,
         encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash
  FROM idemdesk.audit_entry`;

function toEntry(row: unknown): AuditEntry {
  return AuditEntry.parse(row);
}

function filterSql({ tenantId, chain, actorId, action, targetType, targetId, from, to }: AuditFilter): Prisma.Sql[] {
  return [
    tenantId && Prisma.sql`chain IN (${tenantId}, ${`events:${tenantId}`})`,
    chain && Prisma.sql`chain = ${chain}`,
    actorId && Prisma.sql`actor_id = ${actorId}`,
    action && Prisma.sql`action = ${action}`,
    targetType && Prisma.sql`target_type = ${targetType}`,
    targetId && Prisma.sql`target_id = ${targetId}`,
    from && Prisma.sql`at >= ${from}::timestamptz`,
    to && Prisma.sql`at < ${to}::timestamptz`,
  ].filter((condition) => condition instanceof Prisma.Sql);
}

function reachSql({ full, principalId }: AuditReach): Prisma.Sql[] {
  if (full === "*") return [];
  const own = Prisma.sql`actor_id = ${principalId}`;
  return [full.length === 0 ? own : Prisma.sql`(${own} OR tenant_id = ANY (${[...full]}::uuid[]))`];
}

/** Compared as stored, to the microsecond. */
function followsSql({ at, chain, seq }: z.infer<typeof Position>): Prisma.Sql {
  return Prisma.sql`(at, chain, seq) < (${at}::timestamptz, ${chain}, ${seq}::bigint)`;
}
