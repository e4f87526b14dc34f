import { route } from "@/lib/http/route";
import { KeyParams, ofTenant } from "@/lib/lookup/addresses";
import { readDetail } from "@/lib/lookup/queries";
import { KeyDetail } from "@/lib/lookup/schema";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/tenants/{tenantId}/keys/{id}",
    summary: "One operation: its row, the verdict, and what a retry would get",
    right: "keys.read",
    params: KeyParams,
    output: KeyDetail,
    tenant: ofTenant,
  },
  ({ scope, reader, params }) => readDetail(scope, params, reader),
);
