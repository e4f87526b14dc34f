import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { hashToken, newToken } from "@/lib/access/secrets";
import { migrate } from "@/lib/db/migrate";
import { readEnv } from "@/lib/env";
import { buildDesk, isStale } from "@/lib/server/build";
import { type Cluster, createCluster, startCluster } from "@/lib/server/postgres/cluster";
import { freePort } from "@/lib/server/postgres/port";
import { deskAddress, startWeb, untilReady } from "@/lib/server/web";
import { buildFixture, fullSize } from "@/test/factories/fixture";

const DIST_DIR = ".next-bench";

/** The built desk over a fixture of its own, and the same database by `pg` as the web process's role. */
export interface World {
  address: string;
  /** Bearer token of an operator of all tenants. */
  token: string;
  owner: Pool;
  web: Pool;
  close(): Promise<void>;
}

/** Starts PostgreSQL in a temporary folder, fills it, builds the desk when it is stale and starts it. */
export async function openWorld(rows: number): Promise<World> {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const cluster = await startServer(undo);
    const owner = new Pool({ connectionString: cluster.url(), max: 2 });
    undo.push(() => owner.end());
    console.error(`Filling ${rows} keys …`);
    await migrate(cluster.url());
    await buildFixture(owner, { ...fullSize, rows });
    const role = new URL(cluster.url());
    role.username = "idemdesk_web";
    await owner.query(`ALTER ROLE idemdesk_web PASSWORD '${role.password}'`);
    const token = await makeToken(owner);
    const web = new Pool({ connectionString: role.href, max: 1 });
    undo.push(() => web.end());
    const { address, stop } = await startDesk(role.href);
    undo.push(stop);
    return { address, token, owner, web, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startServer(undo: (() => unknown)[]): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), "idemdesk-bench-"));
  chmodSync(directory, 0o711); // the server may run as another user and has to pass through
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  const options = {
    dataDir: join(directory, "data"),
    logFile: join(directory, "server.log"),
    password: randomBytes(12).toString("hex"),
    settings: { fsync: "off", shared_buffers: "512MB", maintenance_work_mem: "256MB", max_wal_size: "4GB" },
  };
  await createCluster(options);
  const cluster = await startCluster(options);
  undo.push(() => cluster.stop());
  return cluster;
}

async function startDesk(databaseUrl: string): Promise<{ address: string; stop(): Promise<void> }> {
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    PORT: String(await freePort()),
    IDEMDESK_DIST_DIR: DIST_DIR,
    IDEMDESK_LOG_LEVEL: "silent",
    IDEMDESK_LIMITS: "search=1000000/1",
    NEXTAUTH_SECRET: randomBytes(24).toString("hex"),
  });
  const settings = readEnv(process.env);
  const address = deskAddress(settings);
  Object.assign(process.env, { NEXTAUTH_URL: address });
  if (isStale(DIST_DIR)) {
    console.error("Building the desk …");
    await buildDesk({ distDir: DIST_DIR, logFile: undefined, onStart: () => undefined });
  }
  const desk = startWeb(settings, undefined);
  await untilReady(address);
  return { address, stop: desk.stop };
}

async function makeToken(owner: Pool): Promise<string> {
  const [id, token] = [randomUUID(), newToken()];
  await owner.query(
    "INSERT INTO idemdesk.operator (id, email, name, created_by) VALUES ($1, 'b@b', 'Bench', 'bench')",
    [id],
  );
  await owner.query("INSERT INTO idemdesk.membership (operator_id, role, created_by) VALUES ($1, 'oncall', 'bench')", [
    id,
  ]);
  await owner.query(
    "INSERT INTO idemdesk.api_token (name, token_hash, operator_id, created_by) VALUES ('bench', $1, $2, 'bench')",
    [Buffer.from(hashToken(token)), id],
  );
  return token;
}
