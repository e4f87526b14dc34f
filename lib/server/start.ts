import { parseArgs } from "node:util";
import { readEnv } from "@/lib/env";
import { startDesk } from "./desk";
import { explain } from "./failure";
import { progressOn } from "./progress";
import { Stopper } from "./stopper";

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
  const operations = values.operations ? Number(values.operations) : undefined;
  return startDesk(readEnv(process.env), { operations, traffic: !values["no-traffic"] }, progress, stopper);
}

/** Ends everything in order, then this process. */
async function leave(status: number): Promise<void> {
  await stopper.stop(desk, complain);
  process.exit(status);
}

const desk = start();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (stopper.stopping) return; // every step of stopping is bounded
    progress.say("\nStopping …");
    void leave(0);
  });
}
desk.then(
  (ending) => {
    if (stopper.stopping) return;
    process.stderr.write(`\n${ending}\n`);
    void leave(1);
  },
  (error) => {
    if (stopper.stopping) return;
    complain(error);
    void leave(1);
  },
);
