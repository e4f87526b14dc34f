import { spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "@/lib/server/postgres/port";
import { findOrInstallBrowser } from "./browser";
import { startDesk, temporaryFolder } from "./desk";

/** Operations in the history of the desk under test: enough for every kind of client, quick to make. */
const OPERATIONS = "1500";

/** `npm run test:e2e`: a real desk, built when stale, and Playwright against it. Arguments are Playwright's own. */
async function main(): Promise<number> {
  const browser = findOrInstallBrowser();
  const folder = temporaryFolder();
  const port = await freePort();
  const dataDir = join(folder.path, "data");
  const env = { PORT: String(port), HOST: "127.0.0.1", IDEMDESK_DATA_DIR: dataDir, DATABASE_URL: "" };
  const desk = startDesk({ env, options: ["--operations", OPERATIONS], echo: true });
  const interrupted = new Promise<number>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(130));
  });
  try {
    await Promise.race([desk.ready, interrupted]);
    const tests = runPlaywright({
      IDEMDESK_TEST_URL: `http://127.0.0.1:${port}`,
      IDEMDESK_TEST_DATA_DIR: dataDir,
      IDEMDESK_TEST_BROWSER: browser,
    });
    return await Promise.race([tests, interrupted, desk.ended.then(() => desk.output()).then(fail)]);
  } finally {
    await desk.stop();
    folder.remove();
  }
}

function runPlaywright(env: Record<string, string>): Promise<number> {
  const cli = [
    "node_modules/@playwright/test/cli.js",
    "test",
    "-c",
    "test/e2e/playwright.config.ts",
    ...process.argv.slice(2),
  ];
  const child = spawn(process.execPath, cli, { env: { ...process.env, ...env }, stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (status) => resolve(status ?? 1)));
}

function fail(output: string): never {
  throw new Error(`The desk under test ended:\n${output}`);
}

main().then(
  (status) => process.exit(status),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
