import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { requiredEnv } from "@/lib/env";
import { PrismaClient } from "./generated/client";

export { Prisma } from "./generated/client";
export type Database = PrismaClient;
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** Distinct statements that are prepared; past it a statement runs unprepared, so that no session's memory grows for ever. */
const PREPARED_STATEMENTS = 500;

/** Names a statement by its text, so that PostgreSQL keeps its plan: planning 30 partitions costs more than reading them. */
const statementNames = new Map<string, string>();
function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  if (statementNames.size >= PREPARED_STATEMENTS) return "";
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

interface PoolOptions {
  applicationName: string;
  /** Connections at most: the desk must never crowd out the payment service. */
  max?: number;
  statementTimeoutMs?: number;
}

/**
 * A bounded pool whose sessions are in UTC (the adapter misreads timestamptz in any other zone) and keep one plan for
 * each prepared statement: planning 30 partitions anew costs more than reading them.
 */
export function createPool(
  url: string,
  { applicationName, max = 10, statementTimeoutMs = 5_000 }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    options: `-c timezone=UTC -c plan_cache_mode=force_generic_plan -c statement_timeout=${statementTimeoutMs}`,
  });
  // A server that went away ends its sessions, idle or lent out; the next query reconnects or fails by itself. Without
  // a listener each of these would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** A Prisma client over its own bounded pool. The caller disconnects it. */
export function createDatabase(url: string, options: PoolOptions): Database {
  return new PrismaClient({
    adapter: new PrismaPg(createPool(url, options), {
      schema: "idemdesk",
      disposeExternalPool: true,
      statementNameGenerator: ({ sql }) => statementName(sql),
    }),
  });
}

const processWide = globalThis as typeof globalThis & { idemdeskDatabase?: Database };

/** The web process's one client, kept across hot reloads. Throws `EnvError` where no database is configured. */
export function database(): Database {
  processWide.idemdeskDatabase ??= createDatabase(requiredEnv("DATABASE_URL"), { applicationName: "idemdesk-web" });
  return processWide.idemdeskDatabase;
}
