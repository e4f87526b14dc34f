import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/access/auth-options";

/** Signing in and out. NextAuth checks its own double-submit token on every POST. */
async function handle(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const response: Response = await NextAuth(request, context, authOptions());
  response.headers.set("Cache-Control", "private, no-store");
  return response;
}

export { handle as GET, handle as POST };
