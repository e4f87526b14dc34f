import { Pool } from "pg";
import { migrate, restoreKeyView } from "@/lib/db/migrate";
import { readEnv } from "@/lib/env";
import { seedSandbox } from "@/lib/sandbox/history/seed";
import { installSandbox } from "@/lib/sandbox/install";
import { DATABASE, type Embedded, LOGIN_ROLES } from "./embedded";
import type { Progress } from "./progress";

/** Put on the database once its history is whole; without it the next start makes the database anew. */
const COMPLETE = "Idemdesk: history complete";

/**
 * Brings the embedded database up to this version: migrations, the sandbox's tables, the roles' passwords and, on the
 * first start, its history. An interrupted first start is begun again; nobody can have worked in it.
 */
export async function prepareEmbedded(embedded: Embedded, progress: Progress, operations?: number): Promise<void> {
  const complete = await isComplete(embedded);
  await progress.step("Database", async () => {
    if (!complete) await recreateDatabase(embedded);
    await migrate(embedded.ownerUrl());
    await withPool(embedded.ownerUrl(), installSandbox);
    await restoreKeyView(embedded.ownerUrl());
    await setPasswords(embedded);
  });
  if (complete) return;
  const { IDEMDESK_BODY_KEYS: bodyKeys } = readEnv({ IDEMDESK_BODY_KEYS: embedded.secrets.bodyKeys });
  await progress.step("Sandbox history", (note) =>
    withPool(embedded.ownerUrl(), (pool) => seedSandbox(pool, { operations, bodyKeys, progress: note })),
  );
  await administer(embedded, [`COMMENT ON DATABASE ${DATABASE} IS '${COMPLETE}'`]);
}

async function isComplete(embedded: Embedded): Promise<boolean> {
  return withPool(embedded.ownerUrl("postgres"), async (pool) => {
    const { rows } = await pool.query<{ remark: string | null }>(
      "SELECT shobj_description(oid, 'pg_database') AS remark FROM pg_database WHERE datname = $1",
      [DATABASE],
    );
    return rows[0]?.remark === COMPLETE;
  });
}

function recreateDatabase(embedded: Embedded): Promise<void> {
  return administer(embedded, [`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`, `CREATE DATABASE ${DATABASE}`]);
}

/** The secrets' passwords are hexadecimal, so they need no quoting. */
function setPasswords(embedded: Embedded): Promise<void> {
  return administer(
    embedded,
    LOGIN_ROLES.map((role) => `ALTER ROLE ${role} PASSWORD '${embedded.secrets[role]}'`),
  );
}

function administer(embedded: Embedded, statements: string[]): Promise<void> {
  return withPool(embedded.ownerUrl("postgres"), async (pool) => {
    for (const statement of statements) await pool.query(statement);
  });
}

/** A lost connection fails the statement under way, which tells it; the events besides would end this process. */
async function withPool<T>(connectionString: string, run: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return run(pool).finally(() => pool.end());
}
