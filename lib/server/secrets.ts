import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { StartError } from "./failure";

const schema = z.object({
  postgres: z.string(),
  idemdesk_web: z.string(),
  idemdesk_worker: z.string(),
  idemdesk_maintenance: z.string(),
  sandbox_payments: z.string(),
  nextAuthSecret: z.string(),
  /** As `IDEMDESK_BODY_KEYS` spells a ring. */
  bodyKeys: z.string(),
});

/** Passwords of the embedded database's roles and the keys of one installation. */
export type Secrets = z.infer<typeof schema>;

const FILE = "secrets.json";

export function hasSecrets(dataDir: string): boolean {
  return existsSync(join(dataDir, FILE));
}

/** The secrets of `dataDir`, made on the first call and kept there, readable by their owner alone. */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, FILE);
  if (!hasSecrets(dataDir))
    writeFileSync(file, `${JSON.stringify(newSecrets(), null, 2)}\n`, { mode: 0o600, flag: "wx" });
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new StartError(
      `${file} cannot be read. Restore it from a backup; without it the database in ${dataDir} cannot be opened. To start anew, move ${dataDir} away.`,
      { cause },
    );
  }
}

function newSecrets(): Secrets {
  const password = () => randomBytes(18).toString("hex");
  return {
    postgres: password(),
    idemdesk_web: password(),
    idemdesk_worker: password(),
    idemdesk_maintenance: password(),
    sandbox_payments: password(),
    nextAuthSecret: randomBytes(32).toString("base64url"),
    bodyKeys: `k1:${randomBytes(32).toString("base64")}`,
  };
}
