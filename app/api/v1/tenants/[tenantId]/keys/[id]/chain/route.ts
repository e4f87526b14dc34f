import { route } from "@/lib/http/route";
import { KeyParams, ofTenant } from "@/lib/lookup/addresses";
import { readChain } from "@/lib/lookup/queries";
import { Chain } from "@/lib/lookup/schema";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/tenants/{tenantId}/keys/{id}/chain",
    summary: "Every attempt of one operation, other keys that may be the same, and hints",
    right: "keys.read",
    params: KeyParams,
    output: Chain,
    tenant: ofTenant,
  },
  ({ scope, reader, params }) => readChain(scope, params, reader),
);
