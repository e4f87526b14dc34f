import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Account } from "./account";

/**
 * Where root keeps what PostgreSQL's own user has to reach and cannot reach where it is: a clone under /root, which
 * only root may enter.
 */
const COMMON_GROUND = "/var/lib/idemdesk";

/** Whether the account may pass through every folder above `path`. Folders still to be made are ours to open. */
function canReach(account: Account, path: string): boolean {
  if (account.uid === undefined) return true;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found && !mayEnter(account, found)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A place for `path` that the account can reach: itself, or a new one on common ground, never one used before. */
export function reachablePlace(account: Account, path: string): string {
  if (canReach(account, path)) return path;
  mkdirSync(COMMON_GROUND, { recursive: true, mode: 0o755 });
  return join(COMMON_GROUND, randomUUID());
}

/** `directory` itself, or its copy under `name` on common ground, made by whoever comes first. */
export function reachableCopy(account: Account, directory: string, name: string): string {
  if (canReach(account, join(directory, "any"))) return directory;
  const copy = join(COMMON_GROUND, name);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  cpSync(directory, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return copy;
}

function mayEnter({ uid, gid }: Account, { mode, uid: owner, gid: group }: { mode: number; uid: number; gid: number }) {
  if (uid === owner) return (mode & 0o100) !== 0;
  if (gid === group) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
