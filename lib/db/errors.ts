/** What a failed database call means to whoever asked; null where the error is not the database's, or is our mistake. */
export type DatabaseErrorKind = "timeout" | "unavailable" | "contended" | "duplicate" | "unknown_reference";

const byState: Record<string, DatabaseErrorKind> = {
  "57014": "timeout", // query_canceled: statement_timeout
  "55P03": "contended", // lock_not_available
  "40001": "contended", // serialization_failure
  "40P01": "contended", // deadlock_detected
  "23505": "duplicate",
  "23503": "unknown_reference",
  "53300": "unavailable", // too_many_connections
  "57P01": "unavailable", // admin_shutdown
  "57P02": "unavailable", // crash_shutdown
  "57P03": "unavailable", // cannot_connect_now
  "25P03": "unavailable", // idle_in_transaction_session_timeout
};

/** Names that Prisma, its adapter and Node give to a server that cannot be reached or a pool without a free connection. */
const unavailable = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
]);

/** `pg` and its pool give these errors no code. They hold nothing but these words. */
const wordedUnavailable =
  /^(timeout exceeded when trying to connect|Connection terminated\b.*|Client has encountered a connection error.*)$/;

/** Classifies an error of Prisma, its adapter or `pg`. */
export function databaseError(error: unknown): DatabaseErrorKind | null {
  const { state, names } = readError(error);
  if (state !== null && byState[state]) return byState[state];
  if (state?.startsWith("08") || names.some((name) => unavailable.has(name))) return "unavailable";
  if (wordedUnavailable.test(text(error, "message"))) return "unavailable";
  return null;
}

/** The SQLSTATE of an error, or null. Its message may quote values and is not for logs or answers. */
export function sqlState(error: unknown): string | null {
  return readError(error).state;
}

function readError(error: unknown): { state: string | null; names: string[] } {
  const code = text(error, "code");
  // Prisma hangs the adapter's error on its own; a failed COMMIT throws the adapter's alone.
  const cause = member(member(member(error, "meta"), "driverAdapterError") ?? error, "cause");
  const state = [text(cause, "originalCode"), code].find(
    (value) => /^[0-9A-Z]{5}$/.test(value) && !value.startsWith("P"),
  );
  return { state: state ?? null, names: [code, text(error, "errorCode"), text(cause, "kind")] };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}
