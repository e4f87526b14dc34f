import { z } from "zod";

/** Everything that is audited, as `subject.what happened`. Each has a sentence in both languages. */
export const AuditAction = z.enum([
  "operator.signed_in",
  "operator.sign_in_refused",
  "operator.signed_out",
  "operator.signed_out_everywhere",
  "operator.password_set",
  "operator.created",
  "sign_in_link.created",
  "token.created",
  "scope.all_tenants_entered",
  "access.denied",
  "key.revealed",
  "key.note_added",
  "view.saved",
  "view.changed",
  "view.deleted",
  "sandbox.charge_released",
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** The chain of what belongs to no tenant: operators, tokens, settings. */
export const SYSTEM_CHAIN = "system";

/** The tenant a chain belongs to; undefined for the system's. */
export function tenantOfChain(chain: string): string | undefined {
  return chain === SYSTEM_CHAIN ? undefined : chain.replace(/^events:/, "");
}

/** The one tenant a filter is about; undefined for all in reach. What is read, and what a cursor holds for, follow it. */
export function tenantOfFilter({ tenantId, chain }: { tenantId?: string; chain?: string }): string | undefined {
  return tenantId ?? (chain === undefined ? undefined : tenantOfChain(chain));
}
