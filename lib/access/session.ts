import "server-only";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { env, requiredEnv } from "@/lib/env";

/** A session ends after this long without a request, in s. */
export const IDLE_S = 3_600;
/** Renewed at most this often, in s, so that not every answer sets a cookie. */
const RENEW_AFTER_S = 600;
/** However busy, it ends this long after signing in, in s: one shift. */
const LONGEST_S = 12 * 3_600;

export const Claims = z.object({ sub: z.guid(), version: z.int(), signedInAt: z.int(), iat: z.int() });

/** What the cookie holds. It proves who signed in, not what they may do: that is read from the database every time. */
export interface Session {
  operatorId: string;
  /** Valid while the operator's own is the same: raising it signs out everywhere. */
  version: number;
  /** Seconds since 1970. */
  signedInAt: number;
  issuedAt: number;
}

/** HTTPS gives the cookie a name that only HTTPS may set. */
export function sessionCookieName(): string {
  return isSecure() ? "__Secure-next-auth.session-token" : "next-auth.session-token";
}

export function isSecure(): boolean {
  return env().NEXTAUTH_URL?.startsWith("https:") ?? false;
}

/** The session of a cookie's value; null where it is missing, forged, damaged or over. */
export async function readSession(cookie: string | undefined): Promise<Session | null> {
  if (!cookie) return null;
  const claims = Claims.safeParse(await decodeQuietly(cookie));
  if (!claims.success) return null;
  const { sub, version, signedInAt, iat } = claims.data;
  return now() < signedInAt + LONGEST_S ? { operatorId: sub, version, signedInAt, issuedAt: iat } : null;
}

/** Whatever cannot be decrypted is no session; why not is of no use to anybody but a forger. */
async function decodeQuietly(token: string): Promise<unknown> {
  const secret = requiredEnv("NEXTAUTH_SECRET"); // its absence is no forged session, and is told
  try {
    return await decode({ token, secret });
  } catch {
    return null;
  }
}

/** The Set-Cookie value that keeps a session in use alive; null while the present cookie is young. */
export async function renewSession(session: Session): Promise<string | null> {
  return now() < session.issuedAt + RENEW_AFTER_S ? null : sessionCookie(session);
}

/** The Set-Cookie value of a session, good from now on. */
export async function sessionCookie({ operatorId, version, signedInAt }: Omit<Session, "issuedAt">): Promise<string> {
  const maxAge = Math.min(IDLE_S, signedInAt + LONGEST_S - now());
  const token = await encode({
    token: { sub: operatorId, version, signedInAt },
    secret: requiredEnv("NEXTAUTH_SECRET"),
    maxAge,
  });
  const secure = isSecure() ? "; Secure" : "";
  return `${sessionCookieName()}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
