import "server-only";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "@/test/postgres";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test("each file has its own database, in a zone that is not UTC", async () => {
  const other = await testDatabase({ migrated: false });
  const zone = await other.pool.query("SELECT current_setting('TimeZone') AS zone, current_database() AS name");
  const own = await database.pool.query("SELECT current_database() AS name");
  expect(zone.rows[0].zone).toBe("Asia/Kathmandu");
  expect(zone.rows[0].name).not.toBe(own.rows[0].name);
  await other.close();
});
