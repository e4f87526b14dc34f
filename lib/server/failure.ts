/** Something the person at the terminal can act on: its message is the whole of what they need to read. */
export class StartError extends Error {
  override name = "StartError";
}

/** Errors whose message is a sentence for that person; by name, so that the web process need not load their modules. */
const SENTENCES = ["StartError", "EnvError", "MigrationError"];

/** What to print of an error: our own sentences as they are, anything unforeseen with its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return SENTENCES.includes(error.name) || isUsageError(error) ? error.message : (error.stack ?? error.message);
}

/** What `parseArgs` throws for an option it does not know. */
function isUsageError(error: Error): boolean {
  return "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
