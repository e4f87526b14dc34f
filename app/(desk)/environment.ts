import type { Environment } from "@/components/shell/top-bar";
import { env } from "@/lib/env";

/** What the top bar says of this desk: its name, the colour of its edge, and whether it changes anything. */
export function deskEnvironment(): Environment {
  const { IDEMDESK_ENVIRONMENT, IDEMDESK_SANDBOX_DATABASE_URL, IDEMDESK_READ_ONLY } = env();
  const sandbox = IDEMDESK_SANDBOX_DATABASE_URL !== undefined;
  const name = IDEMDESK_ENVIRONMENT ?? (sandbox ? "sandbox" : "production");
  return {
    name,
    // A desk on somebody's database without a name is taken for production: the mistake that costs less.
    kind: sandbox ? "sandbox" : /prod|live/i.test(name) ? "production" : "other",
    mode: IDEMDESK_READ_ONLY ? "read_only" : "observe",
  };
}
