import "server-only";
import type { QueryClient } from "@tanstack/react-query";
import { auditOptions } from "@/components/audit/audit-options";
import { auditReach } from "@/lib/access/audit-reach";
import { pageScope } from "@/lib/access/page";
import { listAudit } from "@/lib/audit/queries";
import { tenantOfFilter } from "@/lib/audit/rules";
import { AuditFilter } from "@/lib/audit/schema";

/** As many as GET /audit gives without being asked for a number. */
const FIRST_PAGE = 50;

/**
 * What puts the first page of a filter into the browser's cache; a filter GET /audit would refuse is left to it. The
 * scope is the one GET /audit would take, since the next page's cursor holds for no other. Else the page is 403 or 404.
 */
export async function firstPage(query: Readonly<Record<string, string>>) {
  const filter = AuditFilter.safeParse(query);
  const { principal, scope } = await pageScope("audit.read_own", tenantOfFilter(filter.data ?? {}));
  return async (cache: QueryClient): Promise<void> => {
    if (!filter.success) return;
    const queryFn = () => listAudit(scope, auditReach(principal), filter.data, { limit: FIRST_PAGE });
    await cache.fetchInfiniteQuery({ ...auditOptions(query), queryFn });
  };
}
