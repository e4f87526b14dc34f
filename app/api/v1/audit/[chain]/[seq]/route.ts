import { z } from "zod";
import { auditReach } from "@/lib/access/audit-reach";
import { findAuditEntry } from "@/lib/audit/queries";
import { tenantOfChain } from "@/lib/audit/rules";
import { AuditEntry, Chain, Seq } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/audit/{chain}/{seq}",
    summary: "One audit entry, with its exact text and hashes",
    right: "audit.read_own",
    params: z.strictObject({ chain: Chain, seq: Seq }),
    output: AuditEntry,
    tenant: ({ params }) => tenantOfChain(params.chain),
  },
  ({ scope, principal, params }) => findAuditEntry(scope, auditReach(principal), params),
);
