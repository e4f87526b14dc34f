import "server-only";
import { appendAudit } from "@/lib/audit/commands";
import type { Actor } from "@/lib/audit/schema";
import type { Transaction } from "@/lib/db/client";
import { narrowScope, type Scope } from "@/lib/db/scope";
import { notFound } from "@/lib/http/errors";
import type { Released } from "./schema";
import { sandboxApi } from "./service/api";

/** Lets the provider be asked about a charge again. A charge that is missing or outside the scope is `not_found`. */
export async function releaseCharge(tx: Transaction, scope: Scope, actor: Actor, id: string): Promise<Released> {
  if (!sandboxApi()) throw notFound();
  const [released] = await tx.$queryRaw<{ tenantId: string | null }[]>`
    SELECT sandbox.release_charge(${id})::text AS "tenantId"`;
  const tenantId = released?.tenantId;
  if (!tenantId || !narrowScope(scope, tenantId)) throw notFound();
  await appendAudit(tx, actor, { chain: tenantId, action: "sandbox.charge_released", target: { type: "charge", id } });
  return { id, tenantId };
}
