import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Child {
  url: string;
  /** The time its own clock shows, in ms. */
  clock: number;
  process: ChildProcess;
  /** Sends a command over IPC and waits for its answer. */
  ask(command: string): Promise<unknown>;
  stop(): Promise<void>;
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Starts a real process from a file beside this one; it is up once it has told its address. */
export async function startChild(
  file: string,
  env: Record<string, string>,
  preloads: readonly string[] = [],
): Promise<Child> {
  const imports = ["tsx", ...preloads.map(here)].flatMap((name) => ["--import", name]);
  const child = fork(here(file), {
    execArgv: ["--conditions=react-server", ...imports],
    env: { ...process.env, ...env },
  });
  const [{ url, clock }] = (await Promise.race([once(child, "message"), failed(child)])) as [
    Pick<Child, "url" | "clock">,
  ];
  const exited = once(child, "exit");
  return {
    url,
    clock,
    process: child,
    async ask(command) {
      child.send(command);
      const [answer] = await once(child, "message");
      return answer;
    },
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function failed(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, "exit");
  throw new Error(`the process ended before it was up: ${code ?? signal}`);
}
