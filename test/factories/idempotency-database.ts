import { Pool } from "pg";
import { dailyTablesSql, dayPartitionSql, type LayoutName, plainTablesSql } from "@/lib/idempotency";
import { type TestDatabase, testDatabase } from "@/test/postgres";

const dayMs = 86_400_000;
/** How far the database's clock may be moved before a daily table has no partition. */
const daysAhead = 16;

/**
 * A database of one keys table in the layout under test, a business table, and a clock that SQL can move: an unqualified
 * `clock_timestamp()` finds ours first, so leases and windows pass without touching a row.
 */
export async function proofDatabase(layout: LayoutName): Promise<TestDatabase> {
  const database = await testDatabase({ migrated: false });
  const name = new URL(database.ownerUrl).pathname.slice(1);
  // In a session of its own: those of the pool must all begin with the search path set here.
  const setUp = new Pool({ connectionString: database.ownerUrl, max: 1 });
  await setUp.query(`
    ${layout === "daily" ? dailySql() : plainTablesSql()}
    CREATE TABLE business (
      tenant_id uuid, endpoint text, idem_key text, claim_id bigint, reference text, status int,
      UNIQUE (tenant_id, endpoint, idem_key, claim_id)
    );
    CREATE SCHEMA moved;
    CREATE TABLE moved.clock (ahead interval NOT NULL);
    INSERT INTO moved.clock VALUES ('0');
    CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS $$ SELECT pg_catalog.clock_timestamp() + ahead FROM moved.clock $$;
    ALTER DATABASE ${name} SET search_path = moved, pg_catalog, public;`);
  await setUp.end();
  return database;
}

function dailySql(): string {
  const days = Array.from({ length: daysAhead + 2 }, (_, index) => new Date(Date.now() + (index - 1) * dayMs));
  return [dailyTablesSql(), ...days.map((day) => dayPartitionSql(day.toISOString().slice(0, 10)))].join("\n");
}

/** Moves the database's clock on by an interval such as `61 seconds`. */
export async function passTime(pool: Pool, interval: string): Promise<void> {
  await pool.query("UPDATE moved.clock SET ahead = ahead + $1::interval", [interval]);
}

/** No rows, and the real time again. */
export async function resetProof(pool: Pool, layout: LayoutName): Promise<void> {
  const tables = [
    "idempotency_keys",
    "idempotency_effect",
    "business",
    ...(layout === "daily" ? ["idempotency_guard"] : []),
  ];
  await pool.query([...tables.map((table) => `DELETE FROM ${table}`), "UPDATE moved.clock SET ahead = '0'"].join("; "));
}
