import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimDataDir } from "@/lib/server/data-dir";
import { type Access, startEmbedded, withEmbedded } from "@/lib/server/embedded";

let home: string;
let dataDir: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "idemdesk-embedded-"));
  chmodSync(home, 0o711); // the server's own user passes through
  dataDir = join(home, "data");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function version({ ownerUrl }: Access): Promise<string> {
  const client = new Client({ connectionString: ownerUrl("postgres") });
  await client.connect();
  const { rows } = await client.query("SHOW server_version").finally(() => client.end());
  return rows[0].server_version;
}

/** Starts the server in the folder, asks it something and stops it again. */
async function startOnce(): Promise<string> {
  const claimed = claimDataDir(dataDir);
  try {
    const embedded = await startEmbedded(claimed);
    return await version(embedded).finally(embedded.stop);
  } finally {
    claimed.release();
  }
}

test("a command without an installation says to start one", async () => {
  await expect(withEmbedded(dataDir, version)).rejects.toThrow("There is no installation in");
});

test("is made on the first start; a command starts it by itself, or joins the one that runs", async () => {
  expect(await startOnce()).toMatch(/^18/);
  expect(await withEmbedded(dataDir, version)).toMatch(/^18/);
  const claimed = claimDataDir(dataDir);
  const embedded = await startEmbedded(claimed);
  expect(await withEmbedded(dataDir, async ({ ownerUrl }) => ownerUrl())).toBe(embedded.ownerUrl());
  await embedded.stop();
  claimed.release();
});

test.each([
  ["a dead process", "999999999"],
  ["another program", String(process.pid)],
  ["nothing", "rubbish"],
])("starts over a pid file that names %s", async (_, pid) => {
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), `${pid}\n${dataDir}/postgres\n0\n5432\n\n127.0.0.1\n`);
  expect(await startOnce()).toMatch(/^18/);
});

test("a damaged cluster is told in PostgreSQL's own words, with what to do", async () => {
  const control = join(dataDir, "postgres", "global", "pg_control");
  const whole = readFileSync(control);
  truncateSync(control, 10);
  await expect(startOnce()).rejects.toThrow(
    /PostgreSQL did not start: .*pg_control[\s\S]*could not be opened\. Its log is .*postgres\.log\. Restore the folder from a backup, or start anew: mv/,
  );
  writeFileSync(control, whole);
  expect(await startOnce()).toMatch(/^18/);
});
