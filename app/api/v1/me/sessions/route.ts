import { z } from "zod";
import { signOutEverywhere } from "@/lib/access/commands";
import { writeRoute } from "@/lib/http/route";

export const DELETE = writeRoute(
  {
    method: "DELETE",
    path: "/api/v1/me/sessions",
    summary: "Sign out everywhere, this session included",
    right: "desk.use",
    caller: "person",
    output: z.object({ signedOut: z.boolean() }),
  },
  async ({ tx, principal, actor }) => {
    await signOutEverywhere(tx, actor, principal.id);
    return { signedOut: true };
  },
);
