import "server-only";
import type { AuthOptions, User } from "next-auth";
import type { JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { auditAlone } from "@/lib/audit/commands";
import { SYSTEM_CHAIN } from "@/lib/audit/rules";
import { requiredEnv } from "@/lib/env";
import { ownPath } from "@/lib/http/origin";
import { clientAddress, requestIdOf } from "@/lib/http/request";
import { principalOfOperator } from "./queries";
import { Claims, IDLE_S, isSecure } from "./session";
import { type Attempt, type SignInResult, signInByLink, signInByPassword } from "./sign-in";

/** NextAuth as the desk uses it: two ways to prove who one is, and a session that holds nothing but that. */
export function authOptions(): AuthOptions {
  return {
    secret: requiredEnv("NEXTAUTH_SECRET"),
    useSecureCookies: isSecure(),
    session: { strategy: "jwt", maxAge: IDLE_S },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [
      Credentials({
        id: "password",
        credentials: { email: {}, password: {} },
        authorize: async (given, { headers }) =>
          userOf(await signInByPassword(text(given?.email), text(given?.password), attemptOf(headers))),
      }),
      Credentials({
        id: "link",
        credentials: { secret: {} },
        authorize: async (given, { headers }) => userOf(await signInByLink(text(given?.secret), attemptOf(headers))),
      }),
    ],
    callbacks: {
      redirect: ({ url, baseUrl }) => new URL(ownPath(url, baseUrl), baseUrl).href,
      jwt: ({ token, user }) => (user ? claimsOf(user) : token),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: { signOut: ({ token }) => auditSignOut(token) },
  };
}

/** NextAuth answers a thrown message as `error=…`, and null as its own word for refused. */
function userOf(result: SignInResult): User | null {
  if (result === "limited") throw new Error("rate_limited");
  return result === "refused" ? null : { id: result.id, version: result.version };
}

function claimsOf({ id, version }: User): JWT {
  return { sub: id, version, signedInAt: Math.floor(Date.now() / 1_000) };
}

function attemptOf(given: Record<string, unknown> | undefined): Attempt {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given ?? {})) if (typeof value === "string") headers.set(name, value);
  return { address: clientAddress(headers), requestId: requestIdOf(headers) };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

async function auditSignOut(token: JWT): Promise<void> {
  const claims = Claims.safeParse(token);
  if (!claims.success) return;
  const { sub: id, version } = claims.data;
  const operator = await principalOfOperator(id, version);
  const actor = { kind: "operator", id, label: operator?.email ?? id, requestId: null } as const;
  const target = { type: "operator", id };
  await auditAlone(actor, { chain: SYSTEM_CHAIN, action: "operator.signed_out", target });
}

declare module "next-auth" {
  interface User {
    id: string;
    version: number;
  }
}
