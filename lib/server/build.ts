import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "./child";
import { StartError } from "./failure";

/** Everything the desk's pages are made of. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation.ts",
  "next.config.js",
  "package.json",
  "package-lock.json",
  "prisma/schema.prisma",
  "proxy.ts",
  "tsconfig.json",
];
const STAMP = "idemdesk-sources";

export interface Build {
  /** The finished build's folder. */
  distDir: string;
  logFile: string | undefined;
  /** Called with the running build, so that it can be stopped. */
  onStart(child: Child): void;
}

/** Whether the build in `distDir` was made from other sources than these, or never finished. */
export function isStale(distDir: string): boolean {
  const stamp = join(distDir, STAMP);
  return !existsSync(stamp) || readFileSync(stamp, "utf8") !== sourcesDigest();
}

/** Builds the desk; throws with the end of the build's own output where that fails. */
export async function buildDesk({ distDir, logFile, onStart }: Build): Promise<void> {
  const digest = sourcesDigest();
  // From here on until it is whole, what lies there is no build of anything.
  rmSync(join(distDir, STAMP), { force: true });
  const build = startChild({
    name: "build",
    args: ["node_modules/next/dist/bin/next", "build"],
    env: { NODE_ENV: "production", IDEMDESK_DIST_DIR: distDir, NEXT_TELEMETRY_DISABLED: "1" },
    logFile,
  });
  onStart(build);
  const end = await build.ended;
  if (!end.ok) throw new StartError(end.sentence);
  writeFileSync(join(distDir, STAMP), digest);
}

function sourcesDigest(): string {
  const digest = createHash("sha256");
  for (const file of SOURCES.flatMap(filesUnder)) digest.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return digest.digest("hex");
}

/** Files in a fixed order, so that equal sources have equal digests on every machine. */
function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
