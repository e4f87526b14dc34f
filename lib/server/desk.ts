import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "@/lib/env";
import { buildDesk, isStale } from "./build";
import { type Child, startChild, typescript } from "./child";
import { StartError } from "./failure";
import { inviteFirstOperator } from "./first-operator";
import { type Ground, givenGround, ownGround } from "./ground";
import { isPortFree } from "./postgres/port";
import type { Progress } from "./progress";
import type { Stopper } from "./stopper";
import { deskAddress, startWeb, untilReady } from "./web";

/** PostgreSQL's end follows that of its sessions within this, in ms. */
const GIVING_WAY_MS = 1_000;

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
  const started = performance.now();
  const address = settings.NEXTAUTH_URL ?? deskAddress(settings);
  await refuseTakenPort(settings);
  const ground = settings.DATABASE_URL
    ? await givenGround(settings, settings.DATABASE_URL, progress)
    : await ownGround(settings, options.operations, progress, stopper);
  // From here on this process and every one it starts work on the desk's database.
  Object.assign(process.env, ground.env, { NEXTAUTH_URL: address });
  await buildWhenStale(settings, ground, progress, stopper);

  const ends: Promise<string>[] = [];
  const begin = (child: Child) => {
    ends.push(child.ended.then(({ sentence }) => sentence));
    stopper.add(child.stop);
    return child;
  };
  const worker = ground.worker ? begin(ourProcess("worker", "lib/server/worker.ts", ground)) : null;
  begin(startWeb(settings, ground.logFile("web")));
  const ready = Promise.all([untilReady(deskAddress(settings)), worker?.ready]);
  await progress.step("Desk", () => Promise.race([ready, firstEnd(ground, ends).then(giveUp)]));
  if (ground.sandbox && options.traffic)
    begin(ourProcess("traffic", "lib/sandbox/traffic/main.ts", ground, deskAddress(settings)));

  progress.say(`\nReady after ${Math.round((performance.now() - started) / 1000)} s: ${address}`);
  await inviteFirstOperator(address, progress);
  progress.say("Ctrl-C stops everything.");
  return firstEnd(ground, ends);
}

/** The first of the desk's processes to end. Where the ground gave way under it, that is what to tell. */
async function firstEnd(ground: Ground, ends: Promise<string>[]): Promise<string> {
  const first = await Promise.race([ground.ended, ...ends]);
  return Promise.race([ground.ended, sleep(GIVING_WAY_MS).then(() => first)]);
}

function giveUp(sentence: string): never {
  throw new StartError(sentence);
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

function ourProcess(name: string, file: string, ground: Ground, ...args: string[]): Child {
  return startChild({ name, args: [...typescript(file), ...args], logFile: ground.logFile(name) });
}
