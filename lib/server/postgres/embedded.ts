import { existsSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { StartError } from "../failure";
import { isRunning } from "../processes";
import { postgresAccount } from "./account";
import { type Cluster, createCluster, pidFile, startCluster, stopLeftCluster } from "./cluster";
import { reachablePlace } from "./reach";

/** Starts the cluster at `place`, made on the first call. A server that a killed run left behind is ended first. */
export async function startEmbeddedCluster(place: string, password: string): Promise<Cluster> {
  const logFile = join(dirname(place), "postgres.log");
  if (!existsSync(place)) await createWhole(place, { password, logFile });
  const dataDir = realpathSync(place);
  await endLeftover(dataDir);
  try {
    return await startCluster({ dataDir, password, logFile });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(
      `${reason}\nThe database in ${place} could not be opened. Its log is ${logFile}. Restore the folder from a backup, or start anew: mv ${dirname(place)} ${dirname(place)}.damaged`,
      { cause },
    );
  }
}

/** The port of the server that runs at `place`; null when none does. */
export function runningPort(place: string): number | null {
  const dataDir = realpathSync(place);
  const [pid, , , port] = pidFile(dataDir);
  return isRunning(Number(pid), dataDir) ? Number(port) : null;
}

/**
 * Made beside its place and moved there when whole, so that an interrupted first start leaves nothing half made.
 * Where PostgreSQL's user cannot reach the place, it holds a link to one it can.
 */
async function createWhole(place: string, options: { password: string; logFile: string }): Promise<void> {
  const home = reachablePlace(postgresAccount(), place);
  const unfinished = `${home}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await createCluster({ ...options, dataDir: unfinished });
  renameSync(unfinished, home);
  if (home !== place) symlinkSync(home, place);
}

async function endLeftover(dataDir: string): Promise<void> {
  if (runningPort(dataDir) !== null) await stopLeftCluster(dataDir);
  else rmSync(join(dataDir, "postmaster.pid"), { force: true });
}
