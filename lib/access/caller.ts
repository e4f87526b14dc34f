import "server-only";
import { principalOfOperator, principalOfToken } from "./queries";
import type { Principal } from "./schema";
import { hashToken, looksLikeToken } from "./secrets";
import { readSession, type Session, sessionCookieName } from "./session";

/** Who sent a request, and by which session; null where a token was shown instead. */
export interface Caller {
  principal: Principal;
  session: Session | null;
}

/**
 * Finds who sent a request: by its bearer token where it shows one (a page of another site cannot), else by the session
 * cookie. Rights, session version and the active flag are read from the database every time. Null: nobody.
 */
export async function findCaller(headers: Headers): Promise<Caller | null> {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const principal = token && looksLikeToken(token) ? await principalOfToken(hashToken(token)) : null;
    return principal === null ? null : { principal, session: null };
  }
  return findByCookie(cookieOf(headers, sessionCookieName()));
}

/** The same by the cookie's value alone, for pages. */
export async function findByCookie(cookie: string | undefined): Promise<Caller | null> {
  const session = await readSession(cookie);
  if (session === null) return null;
  const principal = await principalOfOperator(session.operatorId, session.version);
  return principal === null ? null : { principal, session };
}

function cookieOf(headers: Headers, name: string): string | undefined {
  const pairs = headers.get("cookie")?.split(/; */) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
