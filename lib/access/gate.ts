import "server-only";
import { auditOnce } from "@/lib/audit/commands";
import { SYSTEM_CHAIN } from "@/lib/audit/rules";
import type { Actor } from "@/lib/audit/schema";
import { mintScope, type Scope } from "@/lib/db/scope";
import { AppError, notFound } from "@/lib/http/errors";
import { auditDenial } from "./denials";
import { can, tenantsInReach, tenantsWith } from "./rules";
import type { Principal, Right } from "./schema";

/** The principal as the audit names it. */
export function actorOf(principal: Principal, requestId: string | null): Actor {
  const kind = principal.tokenId === null ? "operator" : "token";
  return { kind, id: principal.id, label: principal.email ?? principal.name, requestId };
}

export interface Asked {
  right: Right;
  /** Only this tenant; without one the scope is every tenant the right is held over. */
  tenantId?: string | undefined;
  requestId: string | null;
  /** Method and route template, or a page's path: kept with a denial. */
  endpoint: string;
}

/**
 * Mints the scope of one request, the only way to a query. A tenant out of reach is `not_found`, exactly as one that
 * does not exist; a missing right is `forbidden`. Denials, and entering the scope of all tenants, are audited.
 */
export async function authorize(principal: Principal, asked: Asked): Promise<Scope> {
  const tenantId = asked.tenantId?.toLowerCase();
  if (!can(principal, asked.right, tenantId)) throw await deny(principal, { ...asked, tenantId });
  if (tenantId !== undefined) return mintScope([tenantId], principal.id);
  const tenants = tenantsWith(principal, asked.right);
  if (tenants === "*") await auditEntering(principal, asked.requestId);
  return mintScope(tenants, principal.id);
}

async function deny(principal: Principal, { right, tenantId, requestId, endpoint }: Asked): Promise<AppError> {
  const reaches = tenantId === undefined || inReach(principal, tenantId);
  const error = reaches ? new AppError("forbidden", "Your role does not hold the right for this.") : notFound();
  const scope = reaches && tenantId !== undefined ? mintScope([tenantId], principal.id) : null;
  const denial = { code: error.code, endpoint, right, tenantId: tenantId ?? null };
  await auditDenial(actorOf(principal, requestId), denial, scope);
  return error;
}

/** Refuses, with an audit entry, whoever is not a person or shows a token where only the signed-in person may act. */
export async function requireCaller(principal: Principal, kind: "person" | "session", asked: Asked): Promise<void> {
  if (principal.kind === "operator" && (kind === "person" || principal.tokenId === null)) return;
  await auditDenial(actorOf(principal, asked.requestId), { ...asked, code: "forbidden", tenantId: null }, null);
  throw new AppError("forbidden", "Only a person signed in at the desk may do this.");
}

function inReach(principal: Principal, tenantId: string): boolean {
  const tenants = tenantsInReach(principal);
  return tenants === "*" || tenants.includes(tenantId);
}

/** Reading across all tenants is a right of its own: the audit says who entered it, once an hour. */
function auditEntering(principal: Principal, requestId: string | null): Promise<void> {
  return auditOnce("audit-hour", `all-tenants:${principal.id}`, actorOf(principal, requestId), {
    chain: SYSTEM_CHAIN,
    action: "scope.all_tenants_entered",
    target: { type: principal.kind, id: principal.id },
  });
}
