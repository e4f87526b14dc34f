import "server-only";
import { z } from "zod";
import { Prisma } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import { makeCursor, readCursor } from "@/lib/http/cursor";
import { cutPage } from "@/lib/http/paging";
import type { Tenant, TenantFilter } from "./schema";

const Position = z.object({ name: z.string(), id: z.string() });

/** Tenants in scope by name; `query` is a part of the name, or the beginning of the id. */
export async function listTenants(
  scope: Scope,
  { query, limit, cursor }: TenantFilter,
): Promise<{ items: Tenant[]; nextCursor: string | null }> {
  const binding = { scope, filter: { list: "tenants", query } };
  const after = cursor === undefined ? null : await readCursor(binding, cursor, Position);
  const rows = await scopedRead(
    scope,
    (tx) => tx.$queryRaw<Tenant[]>`
      SELECT id::text, name
      FROM idemdesk.tenant
      WHERE ${matches(query)} AND ${follows(after)}
      ORDER BY name, id
      LIMIT ${limit + 1}`,
  );
  const { items, last } = cutPage(rows, limit);
  return { items, nextCursor: last && (await makeCursor(binding, { name: last.name, id: last.id })) };
}

/** A literal part, so that `%` and `_` mean themselves. */
function matches(query: string | undefined): Prisma.Sql {
  if (query === undefined) return Prisma.sql`true`;
  return Prisma.sql`(position(lower(${query}) IN lower(name)) > 0 OR starts_with(id::text, lower(${query})))`;
}

function follows(after: z.infer<typeof Position> | null): Prisma.Sql {
  return after === null ? Prisma.sql`true` : Prisma.sql`(name, id) > (${after.name}, ${after.id}::uuid)`;
}
