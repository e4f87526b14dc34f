import type { Env } from "@/lib/env";
import { buildDesk, isStale } from "./build";
import { type Child, startChild, typescript } from "./child";
import { StartError } from "./failure";
import { type Ground, givenGround, ownGround } from "./ground";
import { isPortFree } from "./postgres/port";
import type { Progress } from "./progress";
import type { Stopper } from "./stopper";
import { deskAddress, startWeb, untilReady } from "./web";

export interface DeskOptions {
  /** How many operations the sandbox's history has; its own default where undefined. */
  operations?: number;
  /** Whether the sandbox's live clients run. */
  traffic: boolean;
}

/**
 * Starts the desk, and resolves when one of its processes ends by itself, with the sentence that says how.
 * Whatever was started is in the charge of `stopper`.
 */
export async function startDesk(
  settings: Env,
  options: DeskOptions,
  progress: Progress,
  stopper: Stopper,
): Promise<string> {
  await refuseTakenPort(settings);
  const started = performance.now();
  const ground = settings.DATABASE_URL
    ? await givenGround(settings, settings.DATABASE_URL, progress)
    : await ownGround(settings, options.operations, progress, stopper);
  await buildWhenStale(settings, ground, progress, stopper);

  const ends = [ground.ended];
  const begin = (child: Child) => {
    ends.push(child.ended.then(({ sentence }) => sentence));
    stopper.add(child.stop);
    return child;
  };
  if (ground.worker) begin(ourProcess("worker", "lib/server/worker.ts", ground));
  const web = begin(startWeb(settings, ground));
  await progress.step("Desk", () => untilReady(web, deskAddress(settings)));
  if (ground.sandbox && options.traffic) begin(ourProcess("traffic", "lib/sandbox/traffic/main.ts", ground));
  progress.say(`\nReady after ${Math.round((performance.now() - started) / 1000)} s: ${deskAddress(settings)}`);
  progress.say("Ctrl-C stops everything.");
  return Promise.race(ends);
}

async function refuseTakenPort({ PORT, HOST }: Env): Promise<void> {
  if (await isPortFree(PORT, HOST)) return;
  throw new StartError(
    `Port ${PORT} of ${HOST} is in use. Stop what listens there, or choose another: PORT=${PORT + 1} npm start`,
  );
}

async function buildWhenStale({ IDEMDESK_DIST_DIR }: Env, ground: Ground, progress: Progress, stopper: Stopper) {
  if (!isStale(IDEMDESK_DIST_DIR)) return;
  await progress.step("Building the desk", () =>
    buildDesk({
      distDir: IDEMDESK_DIST_DIR,
      logFile: ground.logFile("build"),
      onStart: (build) => stopper.add(build.stop),
    }),
  );
}

function ourProcess(name: string, file: string, ground: Ground): Child {
  return startChild({ name, args: typescript(file), env: ground.env, logFile: ground.logFile(name) });
}
