import "server-only";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { appendAudit, auditAlone, auditOnce } from "@/lib/audit/commands";
import { SYSTEM_CHAIN } from "@/lib/audit/rules";
import type { Actor } from "@/lib/audit/schema";
import { database, type Transaction } from "@/lib/db/client";
import { giveBack, tryConsume } from "@/lib/http/limits";
import { verifyPassword } from "./password";
import { hashToken } from "./secrets";

/** An operator who has just proved who they are. */
export interface SignedIn {
  id: string;
  version: number;
}

/** `refused` never says what was wrong; `limited` counts attempts, whether or not the account exists. */
export type SignInResult = SignedIn | "refused" | "limited";

export interface Attempt {
  /** The network address it came from. */
  address: string;
  requestId: string;
}

/** No attempt is answered sooner, in ms, so that the time taken does not tell whether the account exists. */
const FLOOR_MS = 400;

/** Longer ones are refused unread: hashing is meant to be costly. */
const LONGEST_PASSWORD = 200;

/** Signs in by e-mail address and password. */
export function signInByPassword(email: string, password: string, attempt: Attempt): Promise<SignInResult> {
  const account = email.trim().toLowerCase();
  return limited([`account:${digest(account)}`, `address:${attempt.address}`], async () => {
    const operator = await database().operator.findUnique({ where: { email: account } });
    const hash = password.length > LONGEST_PASSWORD ? null : (operator?.passwordHash ?? null);
    const matches = await verifyPassword(hash, password.slice(0, LONGEST_PASSWORD));
    if (operator?.active && matches)
      return database().$transaction((tx) => admit(tx, operator.id, "password", attempt));
    await auditRefusal(operator?.id ?? null, attempt);
    return "refused";
  });
}

/** Signs in by the secret of a one-time link. It works once, and for an active operator only. */
export function signInByLink(secret: string, attempt: Attempt): Promise<SignInResult> {
  return limited([`address:${attempt.address}`], async () => {
    const signedIn = await database().$transaction(async (tx) => {
      const [link] = await tx.$queryRaw<{ operatorId: string }[]>`
        UPDATE idemdesk.sign_in_link AS l
        SET used_at = clock_timestamp()
        FROM idemdesk.operator AS o
        WHERE l.token_hash = ${hashToken(secret)}
          AND l.used_at IS NULL
          AND l.expires_at > clock_timestamp()
          AND o.id = l.operator_id
          AND o.active
        RETURNING o.id::text AS "operatorId"`;
      return link === undefined ? null : admit(tx, link.operatorId, "link", attempt);
    });
    if (signedIn !== null) return signedIn;
    await auditRefusal(null, attempt);
    return "refused";
  });
}

/** Counts the attempt before it is looked at, so that many at once cannot slip through; success gives it back. */
async function limited(keys: string[], attempt: () => Promise<SignInResult>): Promise<SignInResult> {
  const floor = sleep(FLOOR_MS);
  const waits = await Promise.all(keys.map((key) => tryConsume("sign-in", key)));
  const result = waits.every((wait) => wait === null) ? await attempt() : "limited";
  if (typeof result === "string") await floor;
  else await Promise.all(keys.map((key) => giveBack("sign-in", key)));
  return result;
}

async function admit(
  tx: Transaction,
  id: string,
  method: "link" | "password",
  { requestId }: Attempt,
): Promise<SignedIn> {
  const [row] = await tx.$queryRaw<{ version: number; email: string }[]>`
    UPDATE idemdesk.operator SET signed_in_at = clock_timestamp()
    WHERE id = ${id}::uuid
    RETURNING session_version AS version, email`;
  if (row === undefined) throw new Error("the operator is gone");
  const actor: Actor = { kind: "operator", id, label: row.email, requestId };
  const target = { type: "operator", id };
  await appendAudit(tx, actor, { chain: SYSTEM_CHAIN, action: "operator.signed_in", target, details: { method } });
  return { id, version: row.version };
}

/** Every refusal of a known account is kept: the limit bounds them. Of unknown ones, at most one a minute. */
async function auditRefusal(operatorId: string | null, { requestId }: Attempt): Promise<void> {
  const actor: Actor = { kind: "anonymous", id: "anonymous", label: "anonymous", requestId };
  const target = { type: "operator", id: operatorId ?? "unknown" };
  const entry = { chain: SYSTEM_CHAIN, action: "operator.sign_in_refused", target, outcome: "denied" } as const;
  await (operatorId === null ? auditOnce("audit-minute", "sign-in", actor, entry) : auditAlone(actor, entry));
}

/** The limits' table keeps no addresses of people. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
