import { route } from "@/lib/http/route";
import { searchKeys } from "@/lib/lookup/queries";
import { SearchAnswer, SearchInput } from "@/lib/lookup/schema";

export const POST = route(
  {
    method: "POST",
    path: "/api/v1/keys/search",
    summary: "Find operations by key, hash, request, reference, customer or amount, or list them",
    right: "keys.read",
    limit: "search",
    unkeyed: { reason: "It changes nothing; a POST keeps keys out of addresses and logs.", changes: false },
    input: SearchInput,
    output: SearchAnswer,
    tenant: ({ input }) => input.tenantId,
  },
  ({ scope, reader, input }) => searchKeys(scope, input, reader),
);
