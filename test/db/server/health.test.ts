import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "@/test/postgres";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Readiness of a process that was started with this address. */
async function readinessWith(url: string) {
  vi.resetModules();
  vi.stubEnv("DATABASE_URL", url);
  Reflect.deleteProperty(globalThis, "idemdeskDatabase");
  const { readiness } = await import("@/lib/server/health");
  const { database: client } = await import("@/lib/db/client");
  try {
    return await readiness();
  } finally {
    await client().$disconnect();
  }
}

const failing = (checks: { name: string; ok: boolean }[]) => checks.filter(({ ok }) => !ok).map(({ name }) => name);

test("ready as the web role on a migrated database", async () => {
  const { ready, checks } = await readinessWith(database.url);
  expect(failing(checks)).toEqual([]);
  expect(ready).toBe(true);
});

test("not ready as a superuser", async () => {
  const { ready, checks } = await readinessWith(database.ownerUrl);
  expect(ready).toBe(false);
  expect(failing(checks)).toEqual(["role"]);
});

test("not ready where nothing listens, and says no more than that", async () => {
  const { ready, checks } = await readinessWith("postgresql://idemdesk_web:secret@127.0.0.1:1/none");
  expect(ready).toBe(false);
  expect(checks).toEqual([{ name: "database", ok: false, detail: "PostgreSQL does not answer." }]);
});

test("not ready with fewer than 3 days of events ahead, nor without the view", async () => {
  await database.pool.query(`
    DO $$ BEGIN
      FOR day IN 3..14 LOOP
        EXECUTE format('DROP TABLE idemdesk.event_%s', to_char((now() AT TIME ZONE 'UTC')::date + day, 'YYYYMMDD'));
      END LOOP;
    END $$;
    DROP VIEW idemdesk.key`);
  const { ready, checks } = await readinessWith(database.url);
  expect(ready).toBe(false);
  expect(failing(checks)).toEqual(["keys", "partitions"]);
});
