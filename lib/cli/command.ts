import { readEnv } from "@/lib/env";
import { embeddedEnvironment, withEmbedded } from "@/lib/server/embedded";
import { explain } from "@/lib/server/failure";

/** Runs a terminal command: its result is what it prints; what went wrong is one sentence and status 1. */
export function runCommand(main: () => Promise<void>): void {
  main().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    },
  );
}

/**
 * Runs `work` in the environment of the desk's database: the one `DATABASE_URL` names, else the embedded one. From then
 * on `env()` and `database()` are the desk's own.
 */
export async function inDesk<T>(work: () => Promise<T>): Promise<T> {
  const settings = readEnv(process.env);
  if (settings.DATABASE_URL) return work();
  return withEmbedded(settings.IDEMDESK_DATA_DIR, (access) => {
    Object.assign(process.env, embeddedEnvironment(access));
    return work();
  });
}
