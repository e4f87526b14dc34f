import fc from "fast-check";
import type { Pool } from "pg";
import type { LayoutName, Mode } from "@/lib/idempotency";
import type { Actor } from "./idempotency-gates";
import type { Tally } from "./idempotency-model";
import type { Plan } from "./idempotency-rules";
import { type Target, World } from "./idempotency-world";

/** The model side holds nothing: the world's own model judges after every step. */
type Nothing = Record<string, never>;

class Move implements fc.AsyncCommand<Nothing, World> {
  constructor(
    private readonly name: string,
    private readonly move: (world: World) => Promise<void> | void,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_: Nothing, world: World): Promise<void> {
    await this.move(world);
  }

  toString(): string {
    return this.name;
  }
}

const mostLive = 8;

/** A few operations that differ in one part of their name each; most requests go to the first. */
function targets(mode: Mode, other: Mode): fc.Arbitrary<Target> {
  const first: Target = { tenant: 0, mode, key: "key-1" };
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(first) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Target>(
        { ...first, key: "key-2" },
        { ...first, tenant: 1 },
        { ...first, mode: other },
      ),
    },
  );
}

const plans = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Plan>("succeed") },
  { weight: 3, arbitrary: fc.constantFrom<Plan>("decline", "refuse", "throw", "ambiguous") },
);

function moves(mode: Mode, other: Mode): fc.Arbitrary<fc.AsyncCommand<Nothing, World>>[] {
  const send = fc.tuple(
    targets(mode, other),
    fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
    plans,
  );
  const start = send.map(
    ([target, body, plan]) =>
      new Move(`send(${target.tenant} ${target.mode} ${target.key}, body ${body}, ${plan})`, (world) => {
        ifRoom(world, () => world.send(target, body, plan));
      }),
  );
  const one = (name: string, move: (world: World, actor: Actor) => Promise<void>) =>
    fc.nat(97).map((pick) => new Move(`${name}(${pick})`, (world) => withParked(world, pick, move)));
  const time = fc.constantFrom("61 seconds", "61 seconds", "2 hours", "23 hours");
  const steps = fc.integer({ min: 2, max: 9 });
  return [
    start,
    start,
    one("step", (world, actor) => world.step(actor)),
    one("step", (world, actor) => world.step(actor)),
    steps.chain((count) => one(`step ${count} times`, (world, actor) => stepTimes(world, actor, count))),
    steps.chain((count) => one(`step ${count} times`, (world, actor) => stepTimes(world, actor, count))),
    one("finish", (world, actor) => stepTimes(world, actor, 1_000)),
    one("crash", (world, actor) => world.crash(actor)),
    time.map((interval) => new Move(`pass ${interval}`, (world) => world.passTime(interval))),
    fc.constant(new Move("recover", (world) => ifRoom(world, () => world.recover()))),
    fc
      .boolean()
      .map((reachable) => new Move(`settle(${reachable})`, (world) => ifRoom(world, () => world.settle(reachable)))),
    fc
      .constantFrom<"keys" | "guard">("keys", "guard")
      .map((table) => new Move(`clean ${table}`, (world) => ifRoom(world, () => world.cleanUp(table)))),
  ];
}

function ifRoom(world: World, spawn: () => void): void {
  if (world.schedule.live.length < mostLive) spawn();
}

async function withParked(
  world: World,
  pick: number,
  move: (world: World, actor: Actor) => Promise<void>,
): Promise<void> {
  await world.schedule.quiesce();
  const { parked } = world.schedule;
  const actor = parked[pick % Math.max(1, parked.length)];
  if (actor) await move(world, actor);
}

async function stepTimes(world: World, actor: Actor, count: number): Promise<void> {
  for (let taken = 0; taken < count && actor.standing === "parked"; taken++) await world.step(actor);
}

/** Everything runs out, leases pass, recovery and the provider speak; then nothing may be left open that could be known. */
async function conclude(world: World): Promise<void> {
  const drain = () => world.schedule.drain((actor) => world.lookAfter(actor));
  await drain();
  await world.passTime("61 seconds");
  world.recover();
  await drain();
  world.settle(true);
  await drain();
  await world.conclude();
}

/** How many runs, and from which seed; a failure prints the seed and path that show it again. */
export interface Extent {
  numRuns: number;
  seed?: number;
  path?: string;
}

/**
 * Random interleavings against the reference model; throws with the shortest one that breaks a rule.
 * Returns how often every change and answer was met.
 */
export async function proveInterleavings(pool: Pool, layout: LayoutName, extent: Extent): Promise<Tally> {
  const tally: Tally = new Map();
  const modes = fc.constantFrom<[Mode, Mode]>(["atomic", "separate"], ["separate", "external"], ["external", "atomic"]);
  const runs = modes.chain(([mode, other]) => fc.commands(moves(mode, other), { maxCommands: 60, size: "max" }));
  const property = fc.asyncProperty(runs, fc.boolean(), async (commands, withSink) => {
    const world = new World(pool, layout, withSink, tally);
    await world.reset();
    try {
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      await conclude(world);
    } finally {
      world.abandon();
    }
  });
  await fc.assert(property, extent);
  return tally;
}
