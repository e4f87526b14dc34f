import { parseArgs } from "node:util";
import { readEnv } from "@/lib/env";
import { startDesk } from "./desk";
import { explain, StartError } from "./failure";
import { progressOn } from "./progress";
import { Stopper } from "./stopper";
import { MOST_OPERATIONS, wholeNumber } from "./whole-number";

/** How often we look whether the shell is still there, in ms. */
const SHELL_CHECK_MS = 500;

const progress = progressOn(process.stdout);
const stopper = new Stopper();
const complain = (error: unknown) => void process.stderr.write(`\n${explain(error)}\n`);

async function start(): Promise<string> {
  const { values } = parseArgs({
    options: {
      /** How many operations the sandbox's history has. */
      operations: { type: "string" },
      /** Leaves the sandbox's live clients out. */
      "no-traffic": { type: "boolean", default: false },
    },
  });
  const operations = values.operations ? wholeNumber("operations", values.operations, MOST_OPERATIONS) : undefined;
  return startDesk(readEnv(process.env), { operations, traffic: !values["no-traffic"] }, progress, stopper);
}

/** Ends everything in order, then this process. */
async function leave(status: number): Promise<void> {
  await stopper.stop(desk, complain);
  process.exit(status);
}

function stop(): void {
  if (stopper.stopping) return; // every step of stopping is bounded
  progress.say("\nStopping …");
  void leave(0);
}

const desk = start();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
if (process.env.npm_lifecycle_event) followShell();
process.on("uncaughtException", fail);
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined); // nobody reads on
desk.then((ending) => fail(new StartError(ending)), fail);

/** While stopping, what was under way fails because its ground is taken away: nothing to tell. */
function fail(error: unknown): void {
  if (stopper.stopping) return;
  complain(error);
  void leave(1);
}

/** npm hands a signal to the shell between us, which dies of it without a word: its end is that signal. */
function followShell(): void {
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) stop();
  }, SHELL_CHECK_MS);
}
