import { route } from "@/lib/http/route";
import { HashParams, HashQuery, ofTenant } from "@/lib/lookup/addresses";
import { readDetail } from "@/lib/lookup/queries";
import { KeyDetail } from "@/lib/lookup/schema";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/tenants/{tenantId}/keys/by-hash/{hash}",
    summary: "One operation by its key hash, also when its row is gone",
    right: "keys.read",
    params: HashParams,
    query: HashQuery,
    output: KeyDetail,
    tenant: ofTenant,
  },
  ({ scope, reader, params: { tenantId, hash }, query }) =>
    readDetail(scope, { tenantId, keyHash: hash, ...query }, reader),
);
