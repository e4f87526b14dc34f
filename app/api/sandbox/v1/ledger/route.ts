import { route } from "@/lib/http/route";
import { readLedger } from "@/lib/sandbox/queries";
import { Ledger, LedgerFilter } from "@/lib/sandbox/schema";

export const GET = route(
  {
    method: "GET",
    path: "/api/sandbox/v1/ledger",
    summary: "The simulated provider's own ledger, newest first; embedded default only",
    right: "settings.change",
    query: LedgerFilter,
    output: Ledger,
    tenant: ({ query }) => query.tenantId,
  },
  ({ scope, query }) => readLedger(scope, query),
);
