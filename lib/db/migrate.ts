import { createHash } from "node:crypto";
import { Client } from "pg";
import { defaultMapping, type KeyMapping, keyViewSql } from "./key-view";
import { BOOKKEEPING_SQL, isUnedited, type Migration, migrationSql, readMigrations } from "./migrations";

/** A migration that cannot be applied, in one sentence for whoever ran the command. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/** Prisma's own lock id, so that its `migrate deploy` and ours exclude each other. */
const PRISMA_LOCK = 72707369;

/**
 * Brings the database at `url` up to `migrations` and returns the names applied now.
 * One run at a time; each migration commits with its bookkeeping or not at all.
 */
export function migrate(url: string, migrations: Migration[] = readMigrations()): Promise<string[]> {
  return locked(url, async (client) => {
    await client.query(BOOKKEEPING_SQL);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await apply(client, migration);
    await refreshKeyView(client);
    return pending.map(({ name }) => name);
  });
}

/** What `migrate` would run there now, as a script for a person to run with psql. */
export async function migrationScript(url: string | undefined, migrations = readMigrations()): Promise<string> {
  const pending = url ? await connected(url, (client) => findPending(client, migrations)) : migrations;
  const steps = pending.map((step) => `-- ${step.name}\nBEGIN;\n${migrationSql(step)}COMMIT;\n`);
  return [BOOKKEEPING_SQL, ...steps, `-- Once the table of keys exists:\nBEGIN;${keyViewSql()}COMMIT;\n`].join("\n");
}

/** Drops the view for the time of their own ALTER TYPE or DROP COLUMN; the desk sees no keys until it is restored. */
export function releaseKeyView(url: string): Promise<void> {
  return locked(url, async (client) => void (await client.query("DROP VIEW IF EXISTS idemdesk.key")));
}

/** Makes the view anew where the table of keys exists and the view is missing or another; answers whether it did. */
export function restoreKeyView(url: string, mapping: KeyMapping = defaultMapping): Promise<boolean> {
  return locked(url, (client) => refreshKeyView(client, mapping));
}

/** A comment on the view tells what made it, so that an unchanged one is not locked away from its readers. */
async function refreshKeyView(client: Client, mapping: KeyMapping = defaultMapping): Promise<boolean> {
  const sql = keyViewSql(mapping);
  const mark = `idemdesk ${createHash("sha256").update(sql).digest("hex")}`;
  const { rows } = await client.query<{ wanted: boolean }>(
    `SELECT to_regclass(format('%I.%I', $1::text, $2::text)) IS NOT NULL
        AND obj_description(to_regclass('idemdesk.key'), 'pg_class') IS DISTINCT FROM $3 AS wanted`,
    [mapping.schema, mapping.table, mark],
  );
  if (!rows[0]?.wanted) return false;
  await client.query(`BEGIN; ${sql}; COMMENT ON VIEW idemdesk.key IS '${mark}'; COMMIT`);
  return true;
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const exists = await client.query("SELECT WHERE to_regclass('idemdesk._prisma_migrations') IS NOT NULL");
  if (exists.rowCount === 0) return migrations;
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(`
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
    FROM idemdesk._prisma_migrations
    WHERE rolled_back_at IS NULL`);
  const recorded = new Map(rows.map((row) => [row.name, row]));
  return migrations.filter((migration) => {
    const row = recorded.get(migration.name);
    if (row) refuseUnsound(migration, row);
    return !row;
  });
}

function refuseUnsound(migration: Migration, row: { checksum: string; finished: boolean }): void {
  if (!row.finished) {
    throw new MigrationError(
      `Migration ${migration.name} was begun by Prisma and has not ended. Settle it with: npx prisma migrate resolve`,
    );
  }
  if (!isUnedited(migration, row.checksum)) {
    throw new MigrationError(
      `Migration ${migration.name} was edited after it had been applied. Restore the file and put the change in a new migration.`,
    );
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query(`BEGIN; ${migrationSql(migration)} COMMIT`);
  } catch (cause) {
    await client.query("ROLLBACK");
    throw new MigrationError(`Migration ${migration.name} failed, nothing of it was kept: ${text(cause)}`, { cause });
  }
}

/** Runs on a plain connection that holds Prisma's lock, and waits up to a minute for it. */
function locked<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    await client.query("SET lock_timeout = '60s'");
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]).catch((cause) => {
      throw new MigrationError(`Another migration is running. Try again when it has ended. (${text(cause)})`, {
        cause,
      });
    });
    // From here on no table is waited for longer than a payment may wait behind us.
    await client.query("SET lock_timeout = '2s'");
    const result = await run(client);
    await unlock(client);
    return result;
  });
}

/** A pooler that switches servers between transactions makes a session lock worthless; then unlocking says so. */
async function unlock(client: Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>("SELECT pg_advisory_unlock($1) AS held", [PRISMA_LOCK]);
  if (rows[0]?.held) return;
  throw new MigrationError("The migration lock was lost. Connect to PostgreSQL itself, not through a pooler.");
}

async function connected<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: "idemdesk-migrate" });
  client.on("error", () => undefined); // a lost connection fails the statement under way, which tells it
  await client.connect();
  return run(client).finally(() => client.end());
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
