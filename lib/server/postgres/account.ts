import { execFileSync } from "node:child_process";
import { chownSync } from "node:fs";

/** The user a PostgreSQL process runs as; empty when it may run as we do. */
export type Account = { uid?: number; gid?: number };

/** PostgreSQL refuses to run as root: then it runs as the system user `postgres`, which is made if missing. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  return systemAccount() ?? createSystemAccount();
}

/** Gives a path to the account, where that is not ourselves. */
export function giveTo(path: string, account: Account): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

function systemAccount(): Account | null {
  try {
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    return null;
  }
}

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
}

function createSystemAccount(): Account {
  try {
    execFileSync("useradd", ["--system", "--user-group", "--shell", "/usr/sbin/nologin", "postgres"], {
      stdio: "pipe",
    });
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch (cause) {
    throw new Error(
      "PostgreSQL does not run as root, and the user postgres could not be made. Run as another user, or set DATABASE_URL.",
      { cause },
    );
  }
}
