import type { AuditReach } from "@/lib/audit/queries";
import { tenantsWith } from "./rules";
import type { Principal } from "./schema";

/** Whose entries the principal may read: where it holds only `audit.read_own`, its own. */
export function auditReach(principal: Principal): AuditReach {
  return { full: tenantsWith(principal, "audit.read"), principalId: principal.id };
}
