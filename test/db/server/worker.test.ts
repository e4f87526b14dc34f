import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { typescript } from "@/lib/server/child";
import { type TestDatabase, testDatabase } from "@/test/postgres";

let database: TestDatabase;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await database.close();
});

/** A worker of its own process, from when it takes jobs. */
async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, typescript("lib/server/worker.ts"), {
    env: { ...process.env, IDEMDESK_WORKER_DATABASE_URL: database.urlFor("idemdesk_worker") },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  workers.push(worker);
  await once(worker, "message");
  return worker;
}

const count = async (text: string) => (await database.pool.query(text)).rowCount;

test("a job whose worker was killed runs again as soon as another worker starts", async () => {
  const blocker = await database.pool.connect();
  await blocker.query("BEGIN; LOCK TABLE idemdesk.request IN ACCESS EXCLUSIVE MODE");
  const first = await startWorker();
  await vi.waitFor(async () => {
    expect(await count("SELECT FROM pg_locks WHERE NOT granted AND relation = 'idemdesk.request'::regclass")).toBe(1);
  }, 10_000);
  first.kill("SIGKILL");
  await once(first, "exit");
  await blocker.query("ROLLBACK");
  blocker.release();
  await database.pool.query(
    `INSERT INTO idemdesk.request (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, expires_at)
     VALUES (gen_random_uuid(), 'e', 'k', sha256('f'), 'in_progress', now() - interval '1 minute', now() + interval '1 day')`,
  );
  const second = await startWorker();
  await vi.waitFor(async () => expect(await count("SELECT FROM idemdesk.request")).toBe(0), 10_000);
  second.kill("SIGTERM");
  expect((await once(second, "exit"))[0]).toBe(0);
});
