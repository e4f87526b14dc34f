import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

export type Migration = { name: string; sql: string };

/** A migration that cannot be applied, in one sentence for whoever ran the command. */
export class MigrationError extends Error {}

/** Prisma's own lock id, so that its `migrate deploy` and ours exclude each other. */
const PRISMA_LOCK = 72707369;

/** Migrations of `directory` in the order of their names, each in Prisma's layout `<name>/migration.sql`. */
export function readMigrations(directory = "prisma/migrations"): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(join(directory, name, "migration.sql"), "utf8") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Brings the database at `url` up to `migrations` and returns the names applied now.
 * One run at a time; each migration commits with its bookkeeping or not at all.
 */
export async function migrate(url: string, migrations: Migration[] = readMigrations()): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: "idemdesk-migrate" });
  await client.connect();
  try {
    await lock(client);
    await prepare(client);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await apply(client, migration);
    await unlock(client);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Waits a minute for another run; the migrations themselves then wait for no table longer than a payment may. */
async function lock(client: Client): Promise<void> {
  await client.query("SET lock_timeout = '60s'");
  try {
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]);
    await client.query("SET lock_timeout = '2s'");
  } catch (cause) {
    if (!hasCode(cause, "55P03")) throw cause;
    throw new MigrationError("Another migration has been running for over a minute. Try again when it has ended.", {
      cause,
    });
  }
}

/** A pooler that switches servers between transactions makes a session lock worthless; then unlocking says so. */
async function unlock(client: Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>("SELECT pg_advisory_unlock($1) AS held", [PRISMA_LOCK]);
  if (!rows[0]?.held)
    throw new MigrationError("The migration lock was lost. Connect to PostgreSQL itself, not through a pooler.");
}

/** The table exactly as Prisma makes it, in the schema that `?schema=idemdesk` names. */
async function prepare(client: Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA IF NOT EXISTS idemdesk;
    SET search_path = idemdesk;
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                  varchar(36) PRIMARY KEY NOT NULL,
      checksum            varchar(64) NOT NULL,
      finished_at         timestamptz,
      migration_name      varchar(255) NOT NULL,
      logs                text,
      rolled_back_at      timestamptz,
      started_at          timestamptz NOT NULL DEFAULT now(),
      applied_steps_count integer NOT NULL DEFAULT 0
    );`);
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(`
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
    FROM _prisma_migrations
    WHERE rolled_back_at IS NULL`);
  const applied = new Map(rows.map((row) => [row.name, row]));
  for (const { name, sql } of migrations) {
    const row = applied.get(name);
    if (row && !row.finished) {
      throw new MigrationError(
        `Migration ${name} was begun by Prisma and has not ended. Settle it with: npx prisma migrate resolve`,
      );
    }
    if (row && !checksums(sql).includes(row.checksum)) {
      throw new MigrationError(
        `Migration ${name} was edited after it had been applied. Restore the file and put the change in a new migration.`,
      );
    }
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(sql);
    await client.query("SET LOCAL search_path = idemdesk");
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksums(sql)[0], name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK");
    throw new MigrationError(`Migration ${name} failed and nothing of it was kept: ${text(cause)}`, { cause });
  }
}

/** As Prisma counts it: over the file's bytes, and the same file with the other line ends is no edit. */
function checksums(sql: string): string[] {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].map((form) => createHash("sha256").update(form).digest("hex"));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
