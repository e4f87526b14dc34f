import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import type { TestProject } from "vitest/node";
import { migrate, restoreKeyView } from "@/lib/db/migrate";
import { installSandbox } from "@/lib/sandbox/install";
import { LOGIN_ROLES } from "@/lib/server/embedded";
import { binariesIn, embeddedBinaries } from "@/lib/server/postgres/binaries";
import { type Cluster, createCluster, pidFile, startCluster, stopLeftCluster } from "@/lib/server/postgres/cluster";

declare module "vitest" {
  interface ProvidedContext {
    /** The one server of this run: the superuser's address of database `postgres`, and every login role's password. */
    postgres: { superuserUrl: string; rolePassword: string };
  }
}

export const TEMPLATE = "template_migrated";
const PREFIX = "idemdesk-test-";

/** A default zone that is neither UTC nor on the hour, so that a mistaken zone shows; durability is not tested here. */
const SETTINGS = {
  TimeZone: "Asia/Kathmandu",
  max_connections: "200",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
};

/** Vitest's global set-up: one server for the whole run, gone afterwards however the run ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepLeftovers();
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(directory, 0o711); // the server may run as another user and has to pass through
  const options = {
    dataDir: join(directory, "data"),
    logFile: join(directory, "server.log"),
    password: randomBytes(12).toString("hex"),
    binaries: binaries(),
    settings: SETTINGS,
  };
  await createCluster(options);
  const cluster = await startCluster(options);
  const killed = () => {
    cluster.process.kill("SIGQUIT");
    remove(directory);
  };
  process.once("exit", killed);
  const rolePassword = randomBytes(12).toString("hex");
  await buildTemplate(cluster, rolePassword);
  project.provide("postgres", { superuserUrl: cluster.url(), rolePassword });
  return async () => {
    process.off("exit", killed);
    await cluster.stop();
    remove(directory);
  };
}

/** The server under test: ours, or the one whose programs `IDEMDESK_TEST_POSTGRES` names. */
function binaries() {
  const directory = process.env.IDEMDESK_TEST_POSTGRES;
  return directory ? binariesIn(directory) : embeddedBinaries();
}

/** Migrated once; every test file then copies it in milliseconds. Nobody may connect, or copying would wait. */
async function buildTemplate(cluster: Cluster, rolePassword: string): Promise<void> {
  const admin = new Pool({ connectionString: cluster.url(), max: 1 });
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrate(cluster.url(TEMPLATE));
  await installSandboxTables(cluster.url(TEMPLATE));
  await restoreKeyView(cluster.url(TEMPLATE));
  for (const role of LOGIN_ROLES) await admin.query(`ALTER ROLE ${role} PASSWORD '${rolePassword}'`);
  await admin.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await admin.end();
}

async function installSandboxTables(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await installSandbox(pool).finally(() => pool.end());
}

/** Servers of runs that were killed outright. */
async function sweepLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const owner = Number(name.slice(PREFIX.length).split("-")[0]);
    if (isAlive(owner)) continue;
    const dataDir = join(tmpdir(), name, "data");
    if (pidFile(dataDir).length > 0) await stopLeftCluster(dataDir, binaries()).catch(() => undefined);
    remove(join(tmpdir(), name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}
