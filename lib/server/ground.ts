import { join } from "node:path";
import type { Env } from "@/lib/env";
import { claimDataDir } from "./data-dir";
import { embeddedEnvironment, startEmbedded } from "./embedded";
import { StartError } from "./failure";
import { prepareEmbedded } from "./prepare";
import type { Progress } from "./progress";
import type { Stopper } from "./stopper";
import { refuseUnfitDatabase } from "./web-role";

/** What the desk's processes stand on: a database, and what they have to be told about it. */
export interface Ground {
  /** Variables of the processes, beside our own. */
  env: Record<string, string>;
  /** Where a process of that name writes its output; undefined is the terminal. */
  logFile(name: string): string | undefined;
  /** Whether a worker can run. */
  worker: boolean;
  /** Whether the sandbox payments service is part of it. */
  sandbox: boolean;
  /** Settles when the ground itself gives way, with the sentence that says how. */
  ended: Promise<string>;
}

/** The embedded default: PostgreSQL under the data folder, the sandbox and its history. */
export async function ownGround(
  settings: Env,
  operations: number | undefined,
  progress: Progress,
  stopper: Stopper,
): Promise<Ground> {
  const dataDir = claimDataDir(settings.IDEMDESK_DATA_DIR);
  stopper.add(dataDir.release);
  const embedded = await progress.step("PostgreSQL", () => startEmbedded(dataDir));
  stopper.add(embedded.stop);
  await prepareEmbedded(embedded, progress, operations);
  return {
    env: embeddedEnvironment(embedded),
    logFile: (name) => join(dataDir.path, `${name}.log`),
    worker: true,
    sandbox: true,
    ended: embedded.ended,
  };
}

/** The database that `DATABASE_URL` names: nothing is created in it, and no sandbox runs beside it. */
export async function givenGround(settings: Env, url: string, progress: Progress): Promise<Ground> {
  await progress.step("Database", () => refuseUnfitDatabase(url));
  if (!settings.NEXTAUTH_SECRET)
    throw new StartError("NEXTAUTH_SECRET is not set: nobody could sign in. Make one: openssl rand -base64 32");
  const worker = settings.IDEMDESK_WORKER_DATABASE_URL !== undefined;
  if (!worker) progress.say("  IDEMDESK_WORKER_DATABASE_URL is not set: no worker runs here.");
  return { env: {}, logFile: () => undefined, worker, sandbox: false, ended: new Promise(() => undefined) };
}
