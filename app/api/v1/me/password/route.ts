import { z } from "zod";
import { setPassword } from "@/lib/access/account";
import { NewPassword } from "@/lib/access/schema";
import { sessionCookie } from "@/lib/access/session";
import { route } from "@/lib/http/route";

export const PUT = route(
  {
    method: "PUT",
    path: "/api/v1/me/password",
    summary: "Set one's own password; every other session ends",
    right: "desk.use",
    caller: "session",
    unkeyed: { reason: "a key's fingerprint would be a hash of the password that is cheap to guess", changes: true },
    input: NewPassword,
    output: z.object({ hasPassword: z.boolean() }),
  },
  async ({ principal, actor, session, headers, input }) => {
    const version = await setPassword(principal, actor, input);
    if (session !== null) headers.append("Set-Cookie", await sessionCookie({ ...session, version }));
    return { hasPassword: true };
  },
);
