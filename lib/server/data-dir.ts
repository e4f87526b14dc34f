import {
  accessSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { StartError } from "./failure";
import { isRunning } from "./processes";

/** The major version of the embedded PostgreSQL: a data folder of another one cannot be opened. */
const POSTGRES_MAJOR = "18";
const LOCK = "idemdesk.pid";
/** Every name the launcher makes in its data folder; anything else there is somebody else's. */
const OWN = /^(\..*|secrets\.json|idemdesk\.pid(\.\d+)?|postgres(\.new)?|[a-z]+\.log|lost\+found)$/;

interface Places {
  path: string;
  /** Where the cluster lies; it may not exist yet. */
  postgres: string;
}

/** The installation's folder, ours alone until `release`. */
export interface DataDir extends Places {
  release(): void;
}

/**
 * Takes the data folder for this process, making it if need be.
 * Throws a `StartError` that says what to do where it is not a folder, somebody else's, damaged or in use.
 */
export function claimDataDir(path: string): DataDir {
  const places = placesIn(path);
  makeFolder(places.path);
  refuseForeign(places.path);
  refuseDamaged(places.path);
  writeLock(places.path);
  return { ...places, release: () => rmSync(join(places.path, LOCK), { force: true }) };
}

/** Where an installation's parts lie, whether or not it exists. */
export function placesIn(path: string): Places {
  const dataDir = resolve(path);
  return { path: dataDir, postgres: join(dataDir, "postgres") };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(
      `${dataDir} is not a folder that can be written. Set IDEMDESK_DATA_DIR to one that can, or put this one right.`,
      { cause },
    );
  }
}

function refuseForeign(dataDir: string): void {
  const foreign = readdirSync(dataDir).filter((name) => !OWN.test(name));
  if (foreign.length === 0) return;
  const named = foreign.slice(0, 3).join(", ");
  throw new StartError(
    `${dataDir} holds files that are not Idemdesk's (${named}). Set IDEMDESK_DATA_DIR to an empty or a new folder.`,
  );
}

function refuseDamaged(dataDir: string): void {
  const cluster = join(dataDir, "postgres");
  if (!lstatSync(cluster, { throwIfNoEntry: false })) return;
  const startAnew = `Restore it from a backup, or start anew: mv ${dataDir} ${dataDir}.damaged`;
  const version = versionOf(cluster);
  if (version === null)
    throw new StartError(`The database in ${cluster} is damaged: PG_VERSION cannot be read. ${startAnew}`);
  if (version !== POSTGRES_MAJOR) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${version}, this is ${POSTGRES_MAJOR}. Use the Idemdesk that made it, or start anew: mv ${dataDir} ${dataDir}.${version}`,
    );
  }
}

function versionOf(cluster: string): string | null {
  try {
    return /^\d+/.exec(readFileSync(join(cluster, "PG_VERSION"), "utf8"))?.[0] ?? null;
  } catch {
    return null;
  }
}

/** The file appears whole or not at all (a link), so that of two who start together one always sees the other. */
function writeLock(dataDir: string): void {
  const file = join(dataDir, LOCK);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`);
  try {
    if (!linked(own, file)) {
      refuseInUse(dataDir, Number(readText(file)));
      rmSync(file, { force: true });
      if (!linked(own, file)) refuseInUse(dataDir, Number(readText(file)));
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function refuseInUse(dataDir: string, holder: number): void {
  if (holder === process.pid || !isRunning(holder, "react-server")) return;
  throw new StartError(
    `${dataDir} is in use by an Idemdesk that is running (process ${holder}). Stop that one, or set IDEMDESK_DATA_DIR to another folder.`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
