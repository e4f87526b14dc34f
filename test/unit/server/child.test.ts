import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startChild } from "@/lib/server/child";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "idemdesk-unit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("tells how a process ended, with its last words", async () => {
  const logFile = join(folder, "worker.log");
  const child = startChild({
    name: "worker",
    args: ["-e", "console.error('no such table'); process.exit(3)"],
    logFile,
  });
  expect(await child.ended).toEqual({
    ok: false,
    sentence: `The worker stopped (exit status 3). Its last lines, from ${logFile}:\nno such table`,
  });
});

test("a process that finishes what it has begun is given the time", async () => {
  const logFile = join(folder, "web.log");
  const finishing =
    "process.on('SIGTERM', () => setTimeout(() => { console.log('drained'); process.exit(0) }, 300)); setInterval(() => {}, 1e3); process.send('ready')";
  const child = startChild({ name: "web process", args: ["-e", finishing], logFile });
  await child.ready;
  await child.stop();
  expect(readFileSync(logFile, "utf8")).toBe("drained\n");
  expect((await child.ended).ok).toBe(true);
});

test("children end when their parent is killed outright", async () => {
  const script = `
    import { startChild } from "@/lib/server/child";
    const child = startChild({ name: "worker", args: ["-e", "setInterval(() => {}, 1000); process.send(process.pid)"] });
    child.ready.then((pid) => console.log(pid));`;
  const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  const pid = Number(String(await once(parent.stdout, "data")));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
