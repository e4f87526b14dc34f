import { existsSync } from "node:fs";
import { claimDataDir, type DataDir, placesIn } from "./data-dir";
import { StartError } from "./failure";
import { clusterUrl, SUPERUSER } from "./postgres/cluster";
import { runningPort, startEmbeddedCluster } from "./postgres/embedded";
import { hasSecrets, loadSecrets, type Secrets } from "./secrets";

export const DATABASE = "idemdesk";

export const LOGIN_ROLES = ["idemdesk_web", "idemdesk_worker", "idemdesk_maintenance", "sandbox_payments"] as const;
type LoginRole = (typeof LOGIN_ROLES)[number];

/** How one installation's PostgreSQL is reached. */
export interface Access {
  secrets: Secrets;
  /** The superuser's address of a database; of the desk's own, where none is named. */
  ownerUrl(database?: string): string;
  /** A login role's address of the desk's database. */
  urlFor(role: LoginRole): string;
}

/** The embedded PostgreSQL of one installation, running under this process. */
export interface Embedded extends Access {
  /** Settles when the server has ended, with the sentence that says how. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the installation's PostgreSQL. Its database may still be missing: `prepareEmbedded` makes it. */
export async function startEmbedded(dataDir: DataDir): Promise<Embedded> {
  if (existsSync(dataDir.postgres) && !hasSecrets(dataDir.path)) {
    throw new StartError(
      `${dataDir.path} holds a database but not its secrets.json, so it cannot be opened. Restore that file from a backup, or start anew: mv ${dataDir.path} ${dataDir.path}.damaged`,
    );
  }
  const secrets = loadSecrets(dataDir.path);
  const cluster = await startEmbeddedCluster(dataDir.postgres, secrets.postgres);
  return { ...access(secrets, cluster.port), ended: cluster.ended, stop: cluster.stop };
}

/**
 * Runs `work` on an installation that `npm start` made: beside the desk that is running there, or with its PostgreSQL
 * started for the time of it.
 */
export async function withEmbedded<T>(dataDirPath: string, work: (access: Access) => Promise<T>): Promise<T> {
  const { path, postgres } = placesIn(dataDirPath);
  if (!existsSync(postgres)) throw new StartError(`There is no installation in ${path} yet. Run npm start first.`);
  const port = runningPort(postgres);
  if (port !== null) return work(access(loadSecrets(path), port));
  const dataDir = claimDataDir(path);
  try {
    const embedded = await startEmbedded(dataDir);
    return await work(embedded).finally(embedded.stop);
  } finally {
    dataDir.release();
  }
}

/** The environment of the processes that work on the embedded database. */
export function embeddedEnvironment({ secrets, urlFor }: Access): Record<string, string> {
  return {
    DATABASE_URL: urlFor("idemdesk_web"),
    IDEMDESK_WORKER_DATABASE_URL: urlFor("idemdesk_worker"),
    IDEMDESK_MAINTENANCE_DATABASE_URL: urlFor("idemdesk_maintenance"),
    IDEMDESK_SANDBOX_DATABASE_URL: urlFor("sandbox_payments"),
    IDEMDESK_BODY_KEYS: secrets.bodyKeys,
    NEXTAUTH_SECRET: secrets.nextAuthSecret,
  };
}

function access(secrets: Secrets, port: number): Access {
  return {
    secrets,
    ownerUrl: (database = DATABASE) => clusterUrl({ port, database, user: SUPERUSER, password: secrets.postgres }),
    urlFor: (role) => clusterUrl({ port, database: DATABASE, user: role, password: secrets[role] }),
  };
}
