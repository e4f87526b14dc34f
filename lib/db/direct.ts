import "server-only";
import type pg from "pg";
import { requiredEnv } from "@/lib/env";
import { createPool } from "./client";

/** Connections at most; each holds one short statement at a time. */
const MOST_CONNECTIONS = 4;

const processWide = globalThis as typeof globalThis & { idemdeskDirect?: pg.Pool };

/**
 * The web role without Prisma, for single statements that belong to no scope and run often: who asks, how often, and
 * whether the desk can serve. Apart from the desk's own pool, so that neither waits behind a transaction.
 */
export function directPool(): pg.Pool {
  processWide.idemdeskDirect ??= createPool(requiredEnv("DATABASE_URL"), {
    applicationName: "idemdesk-web-direct",
    max: MOST_CONNECTIONS,
  });
  return processWide.idemdeskDirect;
}
