import { auditReach } from "@/lib/access/audit-reach";
import { listAudit } from "@/lib/audit/queries";
import { tenantOfFilter } from "@/lib/audit/rules";
import { AuditEntry, AuditFilter } from "@/lib/audit/schema";
import { listOf, pageQuery } from "@/lib/http/paging";
import { route } from "@/lib/http/route";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/audit",
    summary: "Audit entries, newest first",
    right: "audit.read_own",
    query: AuditFilter.extend(pageQuery),
    output: listOf(AuditEntry),
    tenant: ({ query }) => tenantOfFilter(query),
  },
  ({ scope, principal, query: { limit, cursor, ...filter } }) =>
    listAudit(scope, auditReach(principal), filter, { limit, cursor }),
);
