import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One run of the program behind `npm start`. */
export interface Desk {
  pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Resolves when it says it is ready; rejects with its output where it ends before. */
  ready: Promise<void>;
  /** Settles with its exit status when it has ended. */
  ended: Promise<number | null>;
  /** Asks it to stop, as Ctrl-C does, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const PROGRAMS = {
  node: [process.execPath, "--conditions=react-server", "--import", "tsx", "lib/server/start.ts"],
  npm: ["npm", "start", "--"],
};

export interface DeskStart {
  env: Record<string, string>;
  options?: string[];
  /** Its program, or npm as a user has it. */
  by?: keyof typeof PROGRAMS;
  /** Shows what it prints. */
  echo?: boolean;
}

/** Starts the desk as a user does. */
export function startDesk({ env, options = [], by = "node", echo = false }: DeskStart): Desk {
  const [program = "", ...args] = [...PROGRAMS[by], ...options];
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ready = new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk;
      if (echo) process.stdout.write(chunk);
      if (output.includes("Ctrl-C stops everything.")) resolve();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    ended.then((status) => reject(new Error(`The desk ended with status ${status}:\n${output}`)));
  });
  ready.catch(() => undefined); // whoever waits for it is told; a test of a refusal does not wait
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ready,
    ended,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

/** An empty folder for one installation, which PostgreSQL's own user may pass through. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "idemdesk-e2e-"));
  chmodSync(path, 0o711);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Ids of living processes that were started for this data folder: every one inherits the variable that names it. */
export function processesOf(dataDir: string): string[] {
  const mark = `IDEMDESK_DATA_DIR=${dataDir}`;
  if (process.platform !== "linux") {
    const lines = execFileSync("ps", ["-axww", "-E", "-o", "pid,command"], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => line.includes(mark));
  }
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(mark));
}

/** Empty for a process that has ended meanwhile, or that is not ours to look into. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
