import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate, migrationScript, releaseKeyView, restoreKeyView } from "@/lib/db/migrate";
import { type Migration, readMigrations } from "@/lib/db/migrations";
import { type TestDatabase, testDatabase } from "@/test/postgres";

const first: Migration = { name: "20260101000000_first", sql: "CREATE TABLE idemdesk.a (id int);\n" };
const second: Migration = { name: "20260102000000_second", sql: "CREATE TABLE idemdesk.b (id int);\n" };

describe("the applier", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase({ migrated: false });
    return () => database.close();
  });

  test("applies what is missing, once, and records it as Prisma does", async () => {
    expect(await migrate(database.ownerUrl, [first])).toEqual([first.name]);
    expect(await migrate(database.ownerUrl, [first, second])).toEqual([second.name]);
    expect(await migrate(database.ownerUrl, [first, second])).toEqual([]);
    const { rows } = await database.pool.query(
      `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, logs, rolled_back_at, applied_steps_count,
              checksum = encode(sha256(convert_to($1, 'UTF8')), 'hex') AS is_digest
       FROM idemdesk._prisma_migrations ORDER BY migration_name LIMIT 1`,
      [first.sql],
    );
    expect(rows[0]).toMatchObject({ finished: true, logs: null, rolled_back_at: null, applied_steps_count: 1 });
    expect(rows[0].is_digest).toBe(true);
  });

  test("refuses an edited migration in one sentence and changes nothing", async () => {
    await migrate(database.ownerUrl, [first]);
    const edited = { ...first, sql: `${first.sql}-- later` };
    await expect(migrate(database.ownerUrl, [edited, second])).rejects.toThrow(
      "Migration 20260101000000_first was edited after it had been applied.",
    );
    expect(await tables(database)).not.toContain("b");
  });

  test("the other line ends are no edit", async () => {
    await migrate(database.ownerUrl, [first]);
    const windows = { ...first, sql: first.sql.replaceAll("\n", "\r\n") };
    expect(await migrate(database.ownerUrl, [windows])).toEqual([]);
  });

  test("a failing migration leaves nothing and keeps those before it", async () => {
    const failing = { name: "20260103000000_failing", sql: "CREATE TABLE idemdesk.c (id int); SELECT 1 / 0;" };
    await expect(migrate(database.ownerUrl, [first, failing])).rejects.toThrow(
      "Migration 20260103000000_failing failed, nothing of it was kept: division by zero",
    );
    expect(await tables(database)).toEqual(["_prisma_migrations", "a"]);
    expect(await migrate(database.ownerUrl, [first, { ...failing, sql: "SELECT 1" }])).toEqual([failing.name]);
  });

  test("a migration that Prisma began and did not end stops ours", async () => {
    await migrate(database.ownerUrl, [first]);
    await database.pool.query("UPDATE idemdesk._prisma_migrations SET finished_at = NULL");
    await expect(migrate(database.ownerUrl, [first])).rejects.toThrow("has not ended");
  });

  test("of two at once one applies and the other finds nothing to do", async () => {
    const slow = { ...first, sql: `SELECT pg_sleep(0.3); ${first.sql}` };
    const applied = await Promise.all([migrate(database.ownerUrl, [slow]), migrate(database.ownerUrl, [slow])]);
    expect(applied.flat()).toEqual([first.name]);
  });

  test("the printed script, run by hand, leaves nothing to apply", async () => {
    const script = await migrationScript(undefined, [first, second]);
    await database.pool.query(script.slice(0, script.indexOf("-- Once the table of keys exists")));
    expect(await migrate(database.ownerUrl, [first, second])).toEqual([]);
    expect(await migrationScript(database.ownerUrl, [first, second])).not.toContain(first.name);
  });
});

describe("our own migrations", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  test("are all applied in a migrated database", async () => {
    expect(await migrate(database.ownerUrl, readMigrations())).toEqual([]);
  });

  test("the view over the keys is made once its table exists, released and restored", async () => {
    await database.pool.query(`
      CREATE TABLE IF NOT EXISTS public.idempotency_keys (
        id bigserial PRIMARY KEY, tenant_id uuid NOT NULL, endpoint text NOT NULL, idem_key text NOT NULL,
        fingerprint bytea NOT NULL, state text NOT NULL, response_status int, response_body bytea,
        response_headers jsonb, locked_until timestamptz, created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL)`);
    await releaseKeyView(database.ownerUrl);
    expect(await restoreKeyView(database.ownerUrl)).toBe(true);
    expect(await restoreKeyView(database.ownerUrl)).toBe(false);
    const { rows } = await database.pool.query("SELECT to_regclass('idemdesk.key') IS NOT NULL AS there");
    expect(rows[0].there).toBe(true);
  });
});

async function tables(database: TestDatabase): Promise<string[]> {
  const { rows } = await database.pool.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'idemdesk' ORDER BY tablename",
  );
  return rows.map(({ tablename }) => tablename);
}
