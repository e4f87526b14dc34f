import "server-only";
import pino from "pino";
import { sqlState } from "@/lib/db/errors";
import { env } from "@/lib/env";

/** What may never be written down, wherever an object that holds it is logged. */
const secretNames = [
  "key",
  "idemKey",
  "idempotencyKey",
  "body",
  "input",
  "text",
  "password",
  "token",
  "secret",
  "cookie",
  "authorization",
  "headers",
  "email",
];

let made: pino.Logger | undefined;

/** The process's log: JSON lines on stdout, secrets removed by their name down to two levels. Ids and hashes only. */
export function logger(): pino.Logger {
  made ??= pino({
    base: null,
    level: env().IDEMDESK_LOG_LEVEL,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
    serializers: { error: describeError },
  });
  return made;
}

/** An error without the text of the database or of Prisma, which quotes the values in question. */
export function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: typeof error };
  const state = sqlState(error);
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at "));
  const quotes = state !== null || error.name.startsWith("Prisma");
  return { name: error.name, ...(quotes ? { sqlState: state } : { message: error.message }), frames };
}
