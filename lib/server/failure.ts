import { MigrationError } from "@/lib/db/migrate";
import { EnvError } from "@/lib/env";

/** Something the person at the terminal can act on: its message is the whole of what they need to read. */
export class StartError extends Error {
  override name = "StartError";
}

/** What to print of an error: our own sentences as they are, anything unforeseen with its stack. */
export function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof EnvError || error instanceof MigrationError) return error.message;
  if (isUsageError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What `parseArgs` throws for an option it does not know. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
