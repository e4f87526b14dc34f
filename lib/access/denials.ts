import "server-only";
import { auditAlone, auditOnce } from "@/lib/audit/commands";
import { SYSTEM_CHAIN } from "@/lib/audit/rules";
import type { Actor } from "@/lib/audit/schema";
import type { Scope } from "@/lib/db/scope";
import type { ErrorCode } from "@/lib/http/errors";

interface Denial {
  code: ErrorCode;
  /** Method and route template, or a page's path. */
  endpoint: string;
  right: string | null;
  /** As asked for; it need not exist. */
  tenantId: string | null;
}

/** Keeps a refused attempt: in the tenant's chain where the caller reaches the tenant, else in the system's. */
export async function auditDenial(actor: Actor, denial: Denial, scope: Scope | null): Promise<void> {
  const chain = scope === null ? SYSTEM_CHAIN : (denial.tenantId ?? SYSTEM_CHAIN);
  await auditAlone(actor, entry(denial, chain), scope);
}

/** Keeps that somebody without a principal was refused, at most once a minute, so that nobody can flood the chain. */
export async function auditAnonymousDenial(requestId: string, endpoint: string): Promise<void> {
  const actor: Actor = { kind: "anonymous", id: "anonymous", label: "anonymous", requestId };
  const denial: Denial = { code: "not_signed_in", endpoint, right: null, tenantId: null };
  await auditOnce("audit-minute", "anonymous", actor, entry(denial, SYSTEM_CHAIN));
}

function entry({ code, endpoint, right, tenantId }: Denial, chain: string) {
  return {
    chain,
    action: "access.denied",
    target: { type: "endpoint", id: endpoint },
    outcome: "denied",
    details: { code, right, tenantId },
  } as const;
}
