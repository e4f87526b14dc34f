import { parseArgs } from "node:util";
import { z } from "zod";
import { inviteAgain, inviteOperator } from "@/lib/access/invitations";
import { NewOperator } from "@/lib/access/schema";
import { StartError } from "@/lib/server/failure";
import { terminalActor } from "@/lib/server/terminal-actor";
import { runCommand } from "./command";
import { atDesk, deskAddress, parseFlags, TenantsFlag, UntilFlag } from "./terminal";

const usage = `Usage:
  npm run -s operator -- create --email E --name N --role ROLE --tenants all|ID,ID [--until DATE]
  npm run -s operator -- link --email E

ROLE is support, oncall, finance, auditor (needs --until) or admin. Prints a one-time sign-in link.`;

const CreateFlags = z.strictObject({
  email: z.string({ error: "is missing" }),
  name: z.string({ error: "is missing" }),
  role: z.string({ error: "is missing" }),
  tenants: TenantsFlag,
  until: UntilFlag.optional(),
});
const LinkFlags = z.strictObject({ email: z.email({ error: "must be an e-mail address" }) });

/** `npm run operator`: makes an operator, or a new sign-in link for one, and prints the link alone. */
runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: "string" },
      name: { type: "string" },
      role: { type: "string" },
      tenants: { type: "string" },
      until: { type: "string" },
    },
  });
  console.log(await link(positionals.join(" "), values));
});

function link(verb: string, values: unknown): Promise<string> {
  if (verb === "create") {
    const operator = parseFlags(NewOperator, parseFlags(CreateFlags, values, usage), usage);
    return atDesk(() => inviteOperator(terminalActor(), operator, deskAddress()));
  }
  if (verb === "link") {
    const { email } = parseFlags(LinkFlags, values, usage);
    return atDesk(() => inviteAgain(terminalActor(), email, deskAddress()));
  }
  throw new StartError(usage);
}
