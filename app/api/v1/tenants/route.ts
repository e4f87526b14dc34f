import { Tenant, TenantFilter } from "@/lib/access/schema";
import { listTenants } from "@/lib/access/tenants";
import { listOf } from "@/lib/http/paging";
import { route } from "@/lib/http/route";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/tenants",
    summary: "Tenants in reach, by name",
    right: "desk.use",
    query: TenantFilter,
    output: listOf(Tenant),
  },
  ({ scope, query }) => listTenants(scope, query),
);
