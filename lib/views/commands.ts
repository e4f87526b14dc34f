import "server-only";
import { appendAudit } from "@/lib/audit/commands";
import { type AuditAction, SYSTEM_CHAIN } from "@/lib/audit/rules";
import type { Actor } from "@/lib/audit/schema";
import type { Transaction } from "@/lib/db/client";
import { databaseError } from "@/lib/db/errors";
import { AppError, notFound } from "@/lib/http/errors";
import type { NewView, View, ViewChange } from "./schema";

/** Keeps a view for its owner, an operator. Its name is used once per page: `conflict`. */
export async function saveView(tx: Transaction, actor: Actor, ownerId: string, view: NewView): Promise<View> {
  const [saved] = await tx.$queryRaw<View[]>`
    INSERT INTO idemdesk.saved_view (owner_id, page, name, query, shared)
    VALUES (${ownerId}::uuid, ${view.page}, ${view.name}, ${view.query}, ${view.shared})
    RETURNING id::text, page, name, query, shared, true AS own`.catch(explain);
  return audited(tx, actor, "view.saved", saved);
}

/** Changes one's own view; anybody else's is `not_found`, shared or not. */
export async function changeView(tx: Transaction, actor: Actor, id: string, change: ViewChange): Promise<View> {
  const { name = null, query = null, shared = null } = change;
  const [changed] = await tx.$queryRaw<View[]>`
    UPDATE idemdesk.saved_view
    SET name = coalesce(${name}, name), query = coalesce(${query}, query), shared = coalesce(${shared}, shared)
    WHERE id = ${id}::uuid AND owner_id = idemdesk.principal()
    RETURNING id::text, page, name, query, shared, true AS own`.catch(explain);
  return audited(tx, actor, "view.changed", changed);
}

/** Removes one's own view and answers it as it was. */
export async function deleteView(tx: Transaction, actor: Actor, id: string): Promise<View> {
  const [deleted] = await tx.$queryRaw<View[]>`
    DELETE FROM idemdesk.saved_view
    WHERE id = ${id}::uuid AND owner_id = idemdesk.principal()
    RETURNING id::text, page, name, query, shared, true AS own`;
  return audited(tx, actor, "view.deleted", deleted);
}

async function audited(tx: Transaction, actor: Actor, action: AuditAction, view: View | undefined): Promise<View> {
  if (view === undefined) throw notFound();
  const { id, page, name, shared } = view;
  await appendAudit(tx, actor, {
    chain: SYSTEM_CHAIN,
    action,
    target: { type: "view", id },
    details: { page, name, shared },
  });
  return view;
}

function explain(error: unknown): never {
  if (databaseError(error) === "duplicate") throw new AppError("conflict", "You have a view of this name already.");
  throw error;
}
