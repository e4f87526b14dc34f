import "server-only";
import type { Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import type { View } from "./schema";

/** More than anybody names; a bound all the same. */
const MOST_VIEWS = 500;

/** The reader's own views of a page and everybody's shared ones, by name. */
export function listViews(scope: Scope, page: View["page"] | undefined): Promise<View[]> {
  return scopedRead(
    scope,
    (tx) => tx.$queryRaw<View[]>`
      SELECT id::text, page, name, query, shared, owner_id = ${scope.principalId}::uuid AS own
      FROM idemdesk.saved_view
      WHERE ${page ?? null}::text IS NULL OR page = ${page ?? null}
      ORDER BY name, id
      LIMIT ${MOST_VIEWS}`,
  );
}
