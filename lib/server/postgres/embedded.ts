import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { StartError } from "../failure";
import { isRunning } from "../processes";
import { type Cluster, type ClusterOptions, createCluster, pidFile, startCluster, stopLeftCluster } from "./cluster";

/** Starts the cluster in `dataDir`, made on the first call. A server that a killed run left behind is ended first. */
export async function startEmbeddedCluster(dataDir: string, password: string): Promise<Cluster> {
  const options = { dataDir, password, logFile: join(dirname(dataDir), "postgres.log") };
  if (!existsSync(dataDir)) await createWhole(options);
  await endLeftover(dataDir);
  try {
    return await startCluster(options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(
      `${reason}\nThe database in ${dataDir} could not be opened. Its log is ${options.logFile}. Restore the folder from a backup, or start anew: mv ${dirname(dataDir)} ${dirname(dataDir)}.damaged`,
      { cause },
    );
  }
}

/** Made beside its place and moved there when whole, so that an interrupted first start leaves nothing half made. */
async function createWhole(options: ClusterOptions): Promise<void> {
  const unfinished = `${options.dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await createCluster({ ...options, dataDir: unfinished });
  renameSync(unfinished, options.dataDir);
}

async function endLeftover(dataDir: string): Promise<void> {
  const [pid] = pidFile(dataDir);
  if (pid === undefined) return;
  if (isRunning(Number(pid), dataDir)) await stopLeftCluster(dataDir);
  else rmSync(join(dataDir, "postmaster.pid"), { force: true });
}
