import { randomUUID } from "node:crypto";
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
  Reflect.deleteProperty(globalThis, "idemdeskDirect");
  const { readiness } = await import("@/lib/server/health");
  const { directPool } = await import("@/lib/db/direct");
  try {
    return await readiness();
  } finally {
    await directPool().end();
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

test.each(["idemdesk_owner", "idemdesk_maintenance"])(
  "not ready as a member of %s, whose tables it would own",
  async (owner) => {
    const role = `web_${randomUUID().slice(0, 8)}`;
    await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'; GRANT ${owner} TO ${role}`);
    try {
      const url = Object.assign(new URL(database.ownerUrl), { username: role, password: "p" });
      const { checks } = await readinessWith(url.href);
      expect(failing(checks)).toEqual(["role"]);
    } finally {
      await database.pool.query(`DROP ROLE ${role}`);
    }
  },
);

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
