import { parseArgs } from "node:util";
import { Pool } from "pg";
import { env, readEnv } from "@/lib/env";
import { seedSandbox } from "@/lib/sandbox/history/seed";
import { withEmbedded } from "@/lib/server/embedded";
import { MOST_OPERATIONS, wholeNumber } from "@/lib/server/whole-number";
import { runCommand } from "./command";

/**
 * `npm run seed -- --operations N [--days D] [--seed S]`: adds a history to the sandbox's tenants, in the embedded
 * database or in the one IDEMDESK_OWNER_DATABASE_URL names, where the sandbox must be installed already.
 */
runCommand(async () => {
  const { values } = parseArgs({
    options: { operations: { type: "string" }, days: { type: "string" }, seed: { type: "string" } },
  });
  const history = {
    operations: wholeNumber("operations", values.operations ?? "50000", MOST_OPERATIONS),
    days: wholeNumber("days", values.days ?? "4", 30),
    // The same seed twice would make the same keys, and they are there already.
    seed: values.seed ?? new Date().toISOString(),
    progress: (note: string) => process.stderr.write(`${note}\n`),
  };
  const { IDEMDESK_OWNER_DATABASE_URL: url, IDEMDESK_BODY_KEYS, IDEMDESK_DATA_DIR } = env();
  if (url) await seed(url, { ...history, bodyKeys: IDEMDESK_BODY_KEYS });
  else {
    await withEmbedded(IDEMDESK_DATA_DIR, ({ ownerUrl, secrets }) => {
      const { IDEMDESK_BODY_KEYS: bodyKeys } = readEnv({ IDEMDESK_BODY_KEYS: secrets.bodyKeys });
      return seed(ownerUrl(), { ...history, bodyKeys });
    });
  }
  console.log(`Added ${history.operations} operations of ${history.days} days.`);
});

async function seed(connectionString: string, options: Parameters<typeof seedSandbox>[1]): Promise<void> {
  const pool = new Pool({ connectionString, max: 1 });
  await seedSandbox(pool, options).finally(() => pool.end());
}
