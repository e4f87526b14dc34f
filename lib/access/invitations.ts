import "server-only";
import type { Actor } from "@/lib/audit/schema";
import { database, type Transaction } from "@/lib/db/client";
import { AppError } from "@/lib/http/errors";
import { createOperator, createSignInLink, createToken } from "./commands";
import type { NewOperator, Role } from "./schema";

/** Whether anybody can sign in yet. */
export async function hasOperators(): Promise<boolean> {
  return (await database().operator.findFirst({ select: { id: true } })) !== null;
}

/** Makes an operator with a first link, and answers the link's address. */
export function inviteOperator(actor: Actor, input: NewOperator, deskAddress: string): Promise<string> {
  return database().$transaction(async (tx) => {
    const id = await createOperator(tx, actor, input);
    return linkAddress(await createSignInLink(tx, actor, id), deskAddress);
  });
}

/** Makes a new link for an active operator, and answers its address; `not_found` for anybody else. */
export function inviteAgain(actor: Actor, email: string, deskAddress: string): Promise<string> {
  return database().$transaction(async (tx) => {
    const { id } = await activeOperator(tx, email);
    return linkAddress(await createSignInLink(tx, actor, id), deskAddress);
  });
}

/** The secret stands behind `#`: a browser never sends that part, so no log, proxy or mail scanner sees or spends it. */
function linkAddress(secret: string, deskAddress: string): string {
  return `${new URL("/sign-in/link", deskAddress).href}#${secret}`;
}

type TokenRequest = { name: string; until?: Date | undefined } & (
  | { operator: string }
  | { role: Role; tenants: "*" | readonly string[] }
);

/** Makes a token that acts as the operator of an address, or a service account, and answers the token. */
export function issueToken(actor: Actor, request: TokenRequest): Promise<string> {
  const { name, until } = request;
  return database().$transaction(async (tx) => {
    if ("role" in request) {
      const { role, tenants } = request;
      return createToken(tx, actor, { name, until, operatorId: null, role, tenants });
    }
    const { id: operatorId } = await activeOperator(tx, request.operator);
    return createToken(tx, actor, { name, until, operatorId, role: null, tenants: [] });
  });
}

async function activeOperator(tx: Transaction, email: string): Promise<{ id: string }> {
  const operator = await tx.operator.findUnique({ where: { email: email.toLowerCase(), active: true } });
  if (operator === null) throw new AppError("not_found", "There is no active operator with this e-mail address.");
  return operator;
}
