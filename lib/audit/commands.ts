import "server-only";
import { database, type Transaction } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedWrite } from "@/lib/db/transaction";
import { giveBack, tryConsume } from "@/lib/http/limits";
import type { Actor, NewAuditEntry } from "./schema";

/**
 * Appends one entry to its chain and answers its number. The last statement of the transaction, and one chain each:
 * the chain's head stays locked until COMMIT. Throws where the transaction's scope does not hold the chain's tenant.
 */
export async function appendAudit(tx: Transaction, actor: Actor, entry: NewAuditEntry): Promise<bigint> {
  const { kind, id, label, requestId } = actor;
  const details = requestId === null ? (entry.details ?? {}) : { ...entry.details, requestId };
  const [row] = await tx.$queryRaw<{ seq: bigint }[]>`
    SELECT idemdesk.append_audit(
      ${entry.chain},
      ${JSON.stringify({ kind, id, label })}::jsonb,
      ${entry.action},
      ${JSON.stringify(entry.target)}::jsonb,
      ${entry.outcome ?? "done"},
      ${entry.reason ?? null},
      ${JSON.stringify(details)}::jsonb
    ) AS seq`;
  if (row === undefined) throw new Error("append_audit answered no row");
  return row.seq;
}

/** Appends an entry that belongs to no other change, in a transaction of its own. A tenant's chain needs its scope. */
export async function auditAlone(actor: Actor, entry: NewAuditEntry, scope: Scope | null = null): Promise<void> {
  const append = (tx: Transaction) => appendAudit(tx, actor, entry);
  await (scope === null ? database().$transaction(append) : scopedWrite(scope, append));
}

/** The same, but only once per `limit` and `subject`, for what would otherwise fill the chain with copies. */
export async function auditOnce(
  limit: "audit-minute" | "audit-hour",
  subject: string,
  actor: Actor,
  entry: NewAuditEntry,
): Promise<void> {
  if ((await tryConsume(limit, subject)) !== null) return;
  try {
    await auditAlone(actor, entry);
  } catch (error) {
    // What was not written is written the next time, not kept silent for the rest of the hour.
    await giveBack(limit, subject);
    throw error;
  }
}
