import { parseArgs } from "node:util";
import { z } from "zod";
import { issueToken } from "@/lib/access/invitations";
import { Role } from "@/lib/access/schema";
import { StartError } from "@/lib/server/failure";
import { terminalActor } from "@/lib/server/terminal-actor";
import { runCommand } from "./command";
import { atDesk, parseFlags, TenantsFlag, UntilFlag } from "./terminal";

const usage = `Usage:
  npm run -s token -- create --name N --operator EMAIL [--until DATE]
  npm run -s token -- create --name N --role ROLE --tenants all|ID,ID [--until DATE]

The first acts as that operator; the second is a service account, with the role support, oncall, finance, auditor (needs
--until), admin or ingest. Prints the token, which cannot be shown again.`;

const common = { name: z.string({ error: "is missing" }).trim().min(1).max(120), until: UntilFlag.optional() };
const Flags = z
  .union([
    z.strictObject({ ...common, operator: z.email({ error: "must be an e-mail address" }) }),
    z.strictObject({ ...common, role: Role, tenants: TenantsFlag }),
  ])
  .refine((flags) => !("role" in flags && flags.role === "auditor") || flags.until !== undefined, {
    path: ["until"],
    error: "an auditor's grant needs an end date",
  });

/** `npm run token`: makes an API token and prints it alone. */
runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string" },
      operator: { type: "string" },
      role: { type: "string" },
      tenants: { type: "string" },
      until: { type: "string" },
    },
  });
  if (positionals.join(" ") !== "create") throw new StartError(usage);
  const flags = parseFlags(Flags, values, usage);
  console.log(await atDesk(() => issueToken(terminalActor(), flags)));
});
