import "server-only";
import { appendAudit } from "@/lib/audit/commands";
import { SYSTEM_CHAIN } from "@/lib/audit/rules";
import type { Actor } from "@/lib/audit/schema";
import { database } from "@/lib/db/client";
import { AppError } from "@/lib/http/errors";
import { consume, giveBack } from "@/lib/http/limits";
import { hashPassword, verifyPassword } from "./password";
import { rightsOf, tenantsInReach } from "./rules";
import type { Me, NewPassword, Principal } from "./schema";

/** The caller as the desk shows it to themselves. */
export async function describeCaller(principal: Principal): Promise<Me> {
  const { id, kind, name, email, grants } = principal;
  const hash = kind === "operator" ? await passwordHash(id) : null;
  return {
    id,
    kind,
    name,
    email,
    roles: [...grants],
    tenants: tenantsInReach(principal),
    rights: rightsOf(principal),
    hasPassword: hash !== null,
  };
}

/**
 * Sets or changes one's own password, which ends every session; answers the version that new ones carry. Where one is
 * set, it has to be given; a wrong one counts as a failed sign-in.
 */
export async function setPassword(principal: Principal, actor: Actor, { current, next }: NewPassword): Promise<number> {
  const stored = await passwordHash(principal.id);
  if (stored !== null) await requireCurrent(principal.id, stored, current ?? "");
  const hash = await hashPassword(next);
  return database().$transaction(async (tx) => {
    const [changed] = await tx.operator.updateManyAndReturn({
      where: { id: principal.id, passwordHash: stored },
      data: { passwordHash: hash, sessionVersion: { increment: 1 } },
      select: { sessionVersion: true },
    });
    if (changed === undefined) throw new AppError("conflict", "The password was changed meanwhile.");
    const target = { type: "operator", id: principal.id };
    await appendAudit(tx, actor, { chain: SYSTEM_CHAIN, action: "operator.password_set", target });
    return changed.sessionVersion;
  });
}

async function requireCurrent(operatorId: string, stored: string, current: string): Promise<void> {
  const key = `password:${operatorId}`;
  await consume("sign-in", key);
  if (!(await verifyPassword(stored, current))) {
    throw new AppError("validation_failed", "The present password is not right.", {
      errors: [{ pointer: "/body/current", detail: "is not the present password" }],
    });
  }
  await giveBack("sign-in", key);
}

async function passwordHash(operatorId: string): Promise<string | null> {
  const operator = await database().operator.findUnique({
    where: { id: operatorId },
    select: { passwordHash: true },
  });
  return operator?.passwordHash ?? null;
}
