import "server-only";
import { cookies, headers } from "next/headers";
import { forbidden, notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Scope } from "@/lib/db/scope";
import { AppError } from "@/lib/http/errors";
import { ownPath } from "@/lib/http/origin";
import { PAGE_PATH_HEADER } from "@/lib/http/page-path";
import { requestIdOf } from "@/lib/http/request";
import { findByCookie } from "./caller";
import { authorize } from "./gate";
import type { Principal, Right } from "./schema";
import { sessionCookieName } from "./session";

/** Who opened the page, read once per request; null for somebody without a session. */
export const currentPrincipal = cache(async (): Promise<Principal | null> => {
  const jar = await cookies();
  const caller = await findByCookie(jar.get(sessionCookieName())?.value);
  return caller?.principal ?? null;
});

/** Who opened the page; somebody without a session goes to sign in and comes back. */
export async function pagePrincipal(): Promise<Principal> {
  const principal = await currentPrincipal();
  if (principal !== null) return principal;
  const path = (await headers()).get(PAGE_PATH_HEADER);
  redirect(path === null || path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
}

/** Where to go after signing in: a path of the desk that was asked for, else its first page. */
export function returnPath(next: string | string[] | undefined): string {
  return ownPath(typeof next === "string" ? next : null, "http://desk.invalid");
}

/** The page's principal with the scope of a right, as `authorize` mints it; else the page is 403 or 404. */
export async function pageScope(right: Right, tenantId?: string): Promise<{ principal: Principal; scope: Scope }> {
  const [principal, header] = await Promise.all([pagePrincipal(), headers()]);
  const endpoint = `GET ${header.get(PAGE_PATH_HEADER)?.split("?")[0] ?? "page"}`;
  try {
    return {
      principal,
      scope: await authorize(principal, { right, tenantId, endpoint, requestId: requestIdOf(header) }),
    };
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") forbidden();
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}
