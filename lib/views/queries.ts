import "server-only";
import { Prisma } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import type { View } from "./schema";

/** More than anybody names; a bound all the same. */
const MOST_VIEWS = 500;

/** The reader's own views of a page, and the shared ones that tell of no tenant beyond the reader's, by name. */
export function listViews(scope: Scope, page: View["page"] | undefined): Promise<View[]> {
  const own = Prisma.sql`v.owner_id = ${scope.principalId}::uuid`;
  return scopedRead(
    scope,
    (tx) => tx.$queryRaw<View[]>`
      SELECT v.id::text, v.page, v.name, v.query, v.shared, ${own} AS own
      FROM idemdesk.saved_view AS v
      WHERE (${page ?? null}::text IS NULL OR v.page = ${page ?? null})
        AND (${own} OR ${tellsOnlyOf(scope)})
      ORDER BY v.name, v.id
      LIMIT ${MOST_VIEWS}`,
  );
}

/**
 * A name and a filter may tell of anything their owner sees. So the reader has to reach every tenant the owner reaches,
 * or the view is about one tenant, and both reach that.
 */
function tellsOnlyOf({ tenants }: Scope): Prisma.Sql {
  if (tenants === "*") return Prisma.sql`true`;
  const about = Prisma.sql`lower(substring('&' || v.query FROM '&tenant=([^&]*)'))`;
  return Prisma.sql`EXISTS (
    SELECT FROM idemdesk.membership AS m
    WHERE m.operator_id = v.owner_id AND (m.valid_until IS NULL OR m.valid_until > clock_timestamp())
    HAVING bool_and(coalesce(m.tenant_id = ANY (${[...tenants]}::uuid[]), false))
        OR (${about} = ANY (${[...tenants]}::text[]) AND bool_or(coalesce(m.tenant_id::text = ${about}, true))))`;
}
