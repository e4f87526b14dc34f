import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { PAGE_PATH_HEADER } from "@/lib/http/page-path";
import { securityHeaders } from "@/lib/http/security-headers";

/**
 * Gives every page its security headers and a nonce of its own. It guards nothing: each page and route checks session,
 * right and tenant itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const headers = securityHeaders(nonce, { development: process.env.NODE_ENV === "development" });
  const forwarded = new Headers(request.headers);
  forwarded.set("x-nonce", nonce);
  forwarded.set("content-security-policy", headers["Content-Security-Policy"]);
  forwarded.set(PAGE_PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Pages only: API routes set their own headers, and files of the build are the same for everybody. */
export const config = {
  matcher: [{ source: "/((?!api/|_next/|healthz|readyz|metrics|favicon.ico).*)" }],
};
