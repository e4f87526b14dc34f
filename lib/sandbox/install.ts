import type { Pool, PoolClient } from "pg";
import { dayPartitionSql } from "@/lib/idempotency";
import { endpoints, LEASE_MS, RETRY_WINDOW_MS, TTL_MS } from "./endpoints";
import { inOneTransaction } from "./one-transaction";
import { businessTablesSql, grantsSql, keyTablesSql, rolesSql } from "./tables";

const DAY_MS = 86_400_000;
/** Days of keys kept before today, for history, and made ahead of it. */
const DAYS_BACK = 35;
const DAYS_AHEAD = 14;

/**
 * Makes, or completes, everything the sandbox keeps in the database: roles, tables, days, grants, endpoint profiles.
 * Safe to run on every start. Needs a superuser, after the migrations.
 */
export async function installSandbox(superuser: Pool): Promise<void> {
  await asOneRun(superuser, async (client) => {
    await client.query(rolesSql);
    await client.query("SET LOCAL ROLE sandbox_owner");
    if (!(await hasKeyTables(client))) await client.query(keyTablesSql);
    await client.query(businessTablesSql);
    await createMissingDays(client);
    await client.query(grantsSql);
    await client.query("RESET ROLE");
    await declareEndpoints(client);
  });
}

/** Makes the days of the keys table that are missing. Run by whoever is a member of its owner. */
export async function createSandboxDays(maintenance: Pool): Promise<void> {
  await asOneRun(maintenance, async (client) => {
    await client.query("SET LOCAL ROLE sandbox_owner");
    await createMissingDays(client);
  });
}

function asOneRun(pool: Pool, run: (client: PoolClient) => Promise<void>): Promise<void> {
  return inOneTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('sandbox install'))");
    await run(client);
  });
}

/** Their DDL names no indexes, so a second run would make each of them again. */
async function hasKeyTables(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('public.idempotency_keys') IS NOT NULL AS there",
  );
  return rows[0]?.there ?? false;
}

async function createMissingDays(client: PoolClient): Promise<void> {
  const today = await client.query<{ ms: string }>(
    "SELECT extract(epoch FROM date_trunc('day', clock_timestamp(), 'UTC')) * 1000 AS ms",
  );
  const midnight = Number(today.rows[0]?.ms);
  const days = Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, index) => index - DAYS_BACK)
    .map((offset) => new Date(midnight + offset * DAY_MS).toISOString().slice(0, 10))
    .map((day) => dayPartitionSql(day));
  await client.query(days.join("\n"));
}

/** What the service does on a retry, as the contract library really behaves. A profile someone changed is left alone. */
async function declareEndpoints(client: PoolClient): Promise<void> {
  for (const { pattern } of Object.values(endpoints)) {
    await client.query(
      `INSERT INTO idemdesk.endpoint (
         pattern, mode, assumed_lease_ms, ttl_ms, retry_window_ms, provider, body_codec, on_in_progress,
         on_expired_lease, on_completed, on_expired, on_failed, on_unknown, switches)
       VALUES ($1, 'external', $2, $3, $4, 'sandbox', 'envelope-v1', 'conflict',
         'conflict', 'replay', 'execute', 'pending', 'pending', '{observe,recover,decide,clean}')
       ON CONFLICT (pattern) DO NOTHING`,
      [pattern, LEASE_MS, TTL_MS, RETRY_WINDOW_MS],
    );
  }
}
