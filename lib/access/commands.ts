import "server-only";
import { appendAudit } from "@/lib/audit/commands";
import { SYSTEM_CHAIN } from "@/lib/audit/rules";
import type { Actor } from "@/lib/audit/schema";
import type { Transaction } from "@/lib/db/client";
import { databaseError } from "@/lib/db/errors";
import { AppError } from "@/lib/http/errors";
import type { NewOperator, NewToken } from "./schema";
import { hashToken, newLinkSecret, newToken } from "./secrets";

/** A link printed in the evening still works in the morning. */
const LINK_HOURS = 24;

/** Makes an operator with one role over the tenants named, and answers its id. An address is used once: `conflict`. */
export async function createOperator(tx: Transaction, actor: Actor, input: NewOperator): Promise<string> {
  const { email, name, role, tenants, until } = input;
  const grants = (tenants === "*" ? [null] : tenants).map((tenantId) => ({
    tenantId,
    role,
    validUntil: until ?? null,
    createdBy: actor.label,
  }));
  const operator = await tx.operator
    .create({ data: { email, name, createdBy: actor.label, memberships: { create: grants } } })
    .catch(explain);
  await appendAudit(tx, actor, {
    chain: SYSTEM_CHAIN,
    action: "operator.created",
    target: { type: "operator", id: operator.id },
    details: { email, role, tenants: tenants === "*" ? "all" : tenants.join(","), until: until?.toISOString() ?? null },
  });
  return operator.id;
}

function explain(error: unknown): never {
  const kind = databaseError(error);
  if (kind === "duplicate") throw new AppError("conflict", "There is an operator with this e-mail address already.");
  if (kind === "unknown_reference") throw new AppError("not_found", "One of the tenants is not known to the desk.");
  throw error;
}

/** Makes a one-time link for an operator and answers its secret, which is kept nowhere. */
export async function createSignInLink(tx: Transaction, actor: Actor, operatorId: string): Promise<string> {
  const secret = newLinkSecret();
  await tx.$executeRaw`
    INSERT INTO idemdesk.sign_in_link (token_hash, operator_id, expires_at)
    VALUES (${hashToken(secret)}, ${operatorId}::uuid, clock_timestamp() + ${LINK_HOURS} * interval '1 hour')`;
  await appendAudit(tx, actor, {
    chain: SYSTEM_CHAIN,
    action: "sign_in_link.created",
    target: { type: "operator", id: operatorId },
    details: { hours: LINK_HOURS },
  });
  return secret;
}

/** Makes an API token and answers it; only its hash is kept. It acts as an operator, or is a service account. */
export async function createToken(tx: Transaction, actor: Actor, input: NewToken): Promise<string> {
  const token = newToken();
  const { name, operatorId, role, tenants } = input;
  const { id } = await tx.apiToken.create({
    data: {
      name,
      tokenHash: hashToken(token),
      operatorId,
      role,
      allTenants: tenants === "*",
      tenants: tenants === "*" ? [] : [...tenants],
      createdBy: actor.label,
      expiresAt: input.until ?? null,
    },
  });
  await appendAudit(tx, actor, {
    chain: SYSTEM_CHAIN,
    action: "token.created",
    target: { type: "token", id },
    details: { name, operatorId, role, tenants: tenants === "*" ? "all" : tenants.join(",") },
  });
  return token;
}

/** Ends every session of the operator from the next request on. */
export async function signOutEverywhere(tx: Transaction, actor: Actor, operatorId: string): Promise<void> {
  await tx.operator.update({ where: { id: operatorId }, data: { sessionVersion: { increment: 1 } } });
  await appendAudit(tx, actor, {
    chain: SYSTEM_CHAIN,
    action: "operator.signed_out_everywhere",
    target: { type: "operator", id: operatorId },
  });
}
