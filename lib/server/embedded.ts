import { existsSync } from "node:fs";
import type { DataDir } from "./data-dir";
import { StartError } from "./failure";
import { startEmbeddedCluster } from "./postgres/embedded";
import { hasSecrets, loadSecrets, type Secrets } from "./secrets";

export const DATABASE = "idemdesk";

/** The embedded PostgreSQL of one installation. */
export interface Embedded {
  secrets: Secrets;
  /** Settles when the server has ended, with the sentence that says how. */
  ended: Promise<string>;
  /** The superuser's address of a database; of the desk's own, where none is named. */
  ownerUrl(database?: string): string;
  /** A login role's address of the desk's database. */
  urlFor(role: LoginRole): string;
  stop(): Promise<void>;
}

export const LOGIN_ROLES = ["idemdesk_web", "idemdesk_worker", "idemdesk_maintenance", "sandbox_payments"] as const;
export type LoginRole = (typeof LOGIN_ROLES)[number];

/** Starts the installation's PostgreSQL. Its database may still be missing: `prepareEmbedded` makes it. */
export async function startEmbedded(dataDir: DataDir): Promise<Embedded> {
  if (existsSync(dataDir.postgres) && !hasSecrets(dataDir.path)) {
    throw new StartError(
      `${dataDir.path} holds a database but not its secrets.json, so it cannot be opened. Restore that file from a backup, or start anew: mv ${dataDir.path} ${dataDir.path}.damaged`,
    );
  }
  const secrets = loadSecrets(dataDir.path);
  const cluster = await startEmbeddedCluster(dataDir.postgres, secrets.postgres);
  const urlFor = (role: LoginRole) => {
    const url = new URL(cluster.url(DATABASE));
    url.username = role;
    url.password = secrets[role];
    return url.href;
  };
  return {
    secrets,
    ended: cluster.ended,
    ownerUrl: (database = DATABASE) => cluster.url(database),
    urlFor,
    stop: cluster.stop,
  };
}

/** The environment of the processes that work on the embedded database. */
export function embeddedEnvironment(embedded: Embedded): Record<string, string> {
  return {
    DATABASE_URL: embedded.urlFor("idemdesk_web"),
    IDEMDESK_WORKER_DATABASE_URL: embedded.urlFor("idemdesk_worker"),
    IDEMDESK_MAINTENANCE_DATABASE_URL: embedded.urlFor("idemdesk_maintenance"),
    IDEMDESK_SANDBOX_DATABASE_URL: embedded.urlFor("sandbox_payments"),
    IDEMDESK_BODY_KEYS: embedded.secrets.bodyKeys,
    NEXTAUTH_SECRET: embedded.secrets.nextAuthSecret,
  };
}
