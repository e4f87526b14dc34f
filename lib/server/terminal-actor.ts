import { userInfo } from "node:os";
import type { Actor } from "@/lib/audit/schema";

/** Who sits at the terminal, as the audit names them. */
export function terminalActor(): Actor {
  const { username } = userInfo();
  return { kind: "terminal", id: `os:${username}`, label: username, requestId: null };
}
