import { hasOperators, inviteOperator } from "@/lib/access/invitations";
import type { Progress } from "./progress";
import { terminalActor } from "./terminal-actor";

/** The first administrator of an empty desk; people get accounts of their own from it. */
const ADMINISTRATOR = { email: "admin@idemdesk.local", name: "Administrator", role: "admin", tenants: "*" } as const;

/** Where nobody can sign in yet: makes an administrator and prints the link that signs them in once. */
export async function inviteFirstOperator(deskAddress: string, progress: Progress): Promise<void> {
  if (await hasOperators()) return;
  const link = await inviteOperator(terminalActor(), ADMINISTRATOR, deskAddress);
  progress.say(`Sign in as ${ADMINISTRATOR.email}, once and within 24 hours, with ${link}`);
}
