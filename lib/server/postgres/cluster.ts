import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Account, giveTo, postgresAccount } from "./account";
import { type Binaries, embeddedBinaries } from "./binaries";
import { freePort } from "./port";

const run = promisify(execFile);

export const SUPERUSER = "postgres";

export interface ClusterOptions {
  dataDir: string;
  logFile: string;
  password: string;
  binaries?: Binaries;
  settings?: Record<string, string>;
}

/** A running PostgreSQL server of our own. */
export interface Cluster {
  port: number;
  process: ChildProcess;
  /** Settles when the server has ended, with the sentence that says how. */
  ended: Promise<string>;
  /** The superuser's address of a database. */
  url(database?: string): string;
  /** Ends sessions, writes everything down and waits until the server is gone. */
  stop(): Promise<void>;
}

/** Makes an empty cluster in `dataDir`: UTF-8, byte order, a password asked of every connection. */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const account = postgresAccount();
  mkdirSync(options.dataDir, { recursive: true });
  giveTo(options.dataDir, account);
  const passwordFile = join(tmpdir(), `idemdesk-${randomBytes(8).toString("hex")}`);
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600, flag: "wx" });
  giveTo(passwordFile, account);
  const flags = [`--pgdata=${options.dataDir}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`];
  flags.push("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C");
  if (options.settings?.fsync === "off") flags.push("--no-sync");
  try {
    await run((options.binaries ?? embeddedBinaries()).initdb, flags, { ...account, env: plainEnvironment() });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Starts the server of `dataDir` on a free port of 127.0.0.1 and waits until it takes connections. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const account = postgresAccount();
  const port = await freePort();
  const child = launch(options, account, port);
  await ready(child, options);
  return {
    port,
    process: child,
    ended: new Promise((resolve) => {
      child.once("exit", () => resolve(`PostgreSQL stopped: ${lastLine(options.logFile)}`));
    }),
    url: (database = "postgres") => clusterUrl({ port, database, user: SUPERUSER, password: options.password }),
    stop: () => stopProcess(child),
  };
}

/** The address of a database of a server of our own. */
export function clusterUrl(to: { port: number; database: string; user: string; password: string }): string {
  return `postgresql://${to.user}:${encodeURIComponent(to.password)}@127.0.0.1:${to.port}/${to.database}`;
}

/** Ends a server that an earlier, killed run left behind. */
export async function stopLeftCluster(dataDir: string, binaries: Binaries = embeddedBinaries()): Promise<void> {
  const account = postgresAccount();
  await run(binaries.pgCtl, ["stop", "-D", dataDir, "-m", "fast", "-w", "-t", "60"], {
    ...account,
    env: plainEnvironment(),
  });
}

/** Its own process group, so that Ctrl-C in the terminal reaches us alone and the order of stopping stays ours. */
function launch(options: ClusterOptions, account: Account, port: number): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(port),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(options.logFile, "a", 0o600);
  try {
    chmodSync(options.dataDir, 0o700);
    return spawn((options.binaries ?? embeddedBinaries()).postgres, ["-D", options.dataDir, ...flags], {
      ...account,
      env: plainEnvironment(),
      detached: true,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** The server itself writes "ready" on the eighth line of its pid file; `pg_ctl -w` waits for the same. */
async function ready(child: ChildProcess, options: ClusterOptions): Promise<void> {
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  child.once("exit", () => {
    failure ??= new Error(`PostgreSQL did not start: ${lastLine(options.logFile)}`);
  });
  while (!failure) {
    const lines = pidFile(options.dataDir);
    if (lines[0] === String(child.pid) && lines[7]?.trim() === "ready") return;
    await sleep(25);
  }
  throw failure;
}

/** Lines of the server's pid file; empty when there is none. */
export function pidFile(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGINT");
  });
}

function lastLine(logFile: string): string {
  const lines = readFileSync(logFile, "utf8").trim().split("\n");
  return lines.findLast((line) => /FATAL|ERROR|could not/.test(line)) ?? lines.at(-1) ?? "it left no message";
}

/** Locale variables of the caller may name a locale the server does not have, and PG* ones another server. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) if (/^(LC_|LANG|PG)/.test(name)) delete environment[name];
  return { ...environment, LC_ALL: "C" };
}
