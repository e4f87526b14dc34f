import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "@/lib/server/postgres/port";
import { type Desk, processesOf, startDesk, temporaryFolder } from "./desk";

const SMALL = ["--operations", "40", "--no-traffic"];

test.describe("npm start", () => {
  test.describe.configure({ timeout: 180_000 });
  let folder: ReturnType<typeof temporaryFolder>;
  let dataDir: string;
  let port: number;
  const started: Desk[] = [];

  test.beforeEach(async () => {
    folder = temporaryFolder();
    dataDir = join(folder.path, "data");
    port = await freePort();
  });
  test.afterEach(async () => {
    await Promise.all(started.splice(0).map((desk) => desk.stop()));
    folder.remove();
  });

  function start(env: Record<string, string> = {}, by: "node" | "npm" = "node"): Desk {
    const own = { PORT: String(port), HOST: "127.0.0.1", IDEMDESK_DATA_DIR: dataDir, DATABASE_URL: "" };
    const desk = startDesk({ env: { ...own, ...env }, options: SMALL, by });
    started.push(desk);
    return desk;
  }

  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

  test("starts, stops leaving no process, and starts again within 15 s with what it had", async () => {
    const first = start();
    await first.ready;
    expect(await status("/readyz")).toBe(200);
    const secrets = readFileSync(join(dataDir, "secrets.json"), "utf8");

    expect(await first.stop("SIGINT")).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    await expect(status("/healthz")).rejects.toThrow();

    const before = performance.now();
    const second = start();
    await second.ready;
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(second.output()).not.toContain("history");
    expect(readFileSync(join(dataDir, "secrets.json"), "utf8")).toBe(secrets);
    expect(await second.stop("SIGTERM")).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test("survives being killed outright: its processes end by themselves, and the next start clears up", async () => {
    const killed = start();
    await killed.ready;
    process.kill(killed.pid, "SIGKILL");
    await expect.poll(() => status("/healthz").catch(() => 0), { timeout: 15_000 }).toBe(0);
    const next = start();
    await next.ready;
    expect(await status("/readyz")).toBe(200);
    expect(await next.stop()).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test("a second desk in the same folder is told so, and the first runs on", async () => {
    const first = start();
    await first.ready;
    const second = start({ PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`is in use by an Idemdesk that is running (process ${first.pid})`);
    expect(await status("/readyz")).toBe(200);
  });

  test("a signal to npm, which ends only npm's shell, stops everything too", async () => {
    const desk = start({}, "npm");
    await desk.ready;
    await desk.stop("SIGTERM");
    await expect.poll(() => processesOf(dataDir), { timeout: 30_000 }).toEqual([]);
  });

  test("neither the launcher nor a web process by itself serves as a superuser", async () => {
    const desk = start();
    await desk.ready;
    const { postgres } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));
    const [, , , postgresPort] = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
    const DATABASE_URL = `postgresql://postgres:${postgres}@127.0.0.1:${postgresPort}/idemdesk`;

    const launcher = start({ DATABASE_URL, PORT: String(await freePort()) });
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toContain("DATABASE_URL connects as postgres, which is a superuser");

    const web = ["node_modules/next/dist/bin/next", "start", "--port", String(await freePort())];
    const alone = spawnSync(process.execPath, web, { env: { ...process.env, DATABASE_URL }, encoding: "utf8" });
    expect(alone.status).toBe(1);
    expect(alone.stderr).toContain("DATABASE_URL connects as postgres, which is a superuser.");
  });

  test("interrupted in its first start it leaves no process, and the next start is whole", async () => {
    const interrupted = start();
    await expect.poll(() => interrupted.output(), { timeout: 20_000 }).toContain("Database");
    expect(await interrupted.stop("SIGINT")).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    const next = start();
    await next.ready;
    expect(await status("/readyz")).toBe(200);
  });

  test("ends with PostgreSQL's own words when PostgreSQL ends under it", async () => {
    const desk = start();
    await desk.ready;
    const [postmaster] = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(postmaster), "SIGINT");
    expect(await desk.ended).toBe(1);
    expect(desk.output()).toContain("PostgreSQL stopped");
    expect(processesOf(dataDir)).toEqual([]);
  });
});

test.describe("npm start refuses in one sentence, before doing any work,", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  test.beforeEach(() => {
    folder = temporaryFolder();
  });
  test.afterEach(() => folder.remove());

  async function refusal(env: Record<string, string>): Promise<string> {
    const dataDir = join(folder.path, "data");
    const own = { PORT: String(await freePort()), IDEMDESK_DATA_DIR: dataDir, DATABASE_URL: "" };
    const desk = startDesk({ env: { ...own, ...env }, options: SMALL });
    expect(await desk.ended).toBe(1);
    expect(processesOf(dataDir)).toEqual([]);
    return desk.output().trim();
  }

  test("a port in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = address && typeof address === "object" ? address.port : 0;
    expect(await refusal({ PORT: String(port) })).toBe(
      `Port ${port} of 127.0.0.1 is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`,
    );
    server.close();
    expect(() => readFileSync(join(folder.path, "data", "secrets.json"))).toThrow();
  });

  test("a bad variable, without its value", async () => {
    expect(await refusal({ NEXTAUTH_SECRET: "hunter2" })).toBe("NEXTAUTH_SECRET must be at least 32 characters.");
  });

  test("a damaged data folder", async () => {
    mkdirSync(join(folder.path, "data", "postgres"), { recursive: true });
    expect(await refusal({})).toContain(
      "is damaged: PG_VERSION cannot be read. Restore it from a backup, or start anew",
    );
  });

  test("a database that lost its secrets", async () => {
    mkdirSync(join(folder.path, "data", "postgres"), { recursive: true });
    writeFileSync(join(folder.path, "data", "postgres", "PG_VERSION"), "18\n");
    expect(await refusal({})).toContain("holds a database but not its secrets.json");
  });

  test("a DATABASE_URL where nothing answers, without its password", async () => {
    const output = await refusal({ DATABASE_URL: "postgresql://idemdesk_web:hunter2@127.0.0.1:1/none" });
    expect(output).toContain("The database of DATABASE_URL does not answer");
    expect(output).not.toContain("hunter2");
  });
});
