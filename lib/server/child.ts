import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLLOW_PARENT = fileURLToPath(new URL("./follow-parent.mjs", import.meta.url));
/** How long a process may take to finish what it has begun, in ms. */
const GRACE_MS = 10_000;

interface Ending {
  ok: boolean;
  sentence: string;
}

/** One of the launcher's own Node processes. */
export interface Child {
  name: string;
  /** Resolves with the process's first message, for those that tell when they are ready. */
  ready: Promise<unknown>;
  /** Settles when the process has ended: whether well, and the sentence that says how. */
  ended: Promise<Ending>;
  /** Asks it to finish, and ends it where it does not within the grace period. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  name: string;
  /** A script, or the flags before it, as Node takes them. */
  args: string[];
  env?: Record<string, string | undefined>;
  /** Its output goes there, or to our own where there is none. */
  logFile?: string | undefined;
}

/**
 * Starts a process in its own process group, so that Ctrl-C in the terminal reaches the launcher alone and the order
 * of stopping stays the launcher's.
 */
export function startChild({ name, args, env, logFile }: ChildOptions): Child {
  const output = logFile ? openSync(logFile, "w", 0o600) : "inherit";
  const process_ = spawn(process.execPath, ["--import", FOLLOW_PARENT, ...args], {
    env: { ...process.env, ...env, IDEMDESK_LAUNCHER: String(process.pid) },
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
  });
  if (typeof output === "number") closeSync(output);
  const ended = new Promise<Ending>((resolve) => {
    process_.once("error", (error) =>
      resolve({ ok: false, sentence: `The ${name} could not be started: ${error.message}` }),
    );
    process_.once("exit", (code, signal) => resolve(describeEnd(name, code ?? signal, logFile)));
  });
  const ready = new Promise((resolve) => process_.once("message", resolve));
  return { name, ready, ended, stop: () => stopProcess(process_, ended) };
}

/** Flags that run one of our TypeScript files. */
export function typescript(file: string): string[] {
  return ["--conditions=react-server", "--import", "tsx", file];
}

async function stopProcess(child: ChildProcess, ended: Promise<Ending>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(late);
}

function describeEnd(name: string, how: number | NodeJS.Signals | null, logFile?: string): Ending {
  const sentence = `The ${name} stopped (${typeof how === "number" ? `exit status ${how}` : how}).`;
  const detail = logFile ? ` Its last lines, from ${logFile}:\n${lastLines(logFile)}` : "";
  return { ok: how === 0, sentence: sentence + detail };
}

function lastLines(file: string, count = 15): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-count).join("\n");
}
