import { route } from "@/lib/http/route";
import { HashParams, HashQuery, ofTenant } from "@/lib/lookup/addresses";
import { readChain } from "@/lib/lookup/queries";
import { Chain } from "@/lib/lookup/schema";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/tenants/{tenantId}/keys/by-hash/{hash}/chain",
    summary: "Every attempt of one operation by its key hash, also when its row is gone",
    right: "keys.read",
    params: HashParams,
    query: HashQuery,
    output: Chain,
    tenant: ofTenant,
  },
  ({ scope, reader, params: { tenantId, hash }, query }) =>
    readChain(scope, { tenantId, keyHash: hash, ...query }, reader),
);
