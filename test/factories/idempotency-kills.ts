import { once } from "node:events";
import {
  type Claim,
  createStore,
  type LayoutName,
  type Mode,
  pgDatabase,
  recover,
  settleUnknown,
} from "@/lib/idempotency";
import type { TestDatabase } from "@/test/postgres";
import type { Child } from "./idempotency-child";
import { passTime } from "./idempotency-database";
import type { Point } from "./idempotency-deaths";
import { businessRecord, writeBusiness } from "./idempotency-handlers";
import {
  dieAt,
  newOrder,
  type Order,
  place,
  type ServiceOptions,
  startProvider,
  startService,
  type Told,
} from "./idempotency-service";
import { chargesOf, happened as truth } from "./idempotency-truth";

/** What a client must be told once recovery has run, and how often the operation has happened by then. */
export type Ending = "runs now" | "failed" | "unknown" | "replayed";

type Endings = Partial<Record<Mode, Ending>>;
const all = (ending: Ending): Endings => ({ atomic: ending, separate: ending, external: ending });

/** By the point of death: what was committed by then decides, and nothing else may. */
export const endings: Record<Point, Endings> = {
  "claim not committed": all("runs now"),
  claimed: all("failed"),
  "effect not committed": { external: "failed" },
  "effect recorded": { external: "unknown" },
  "provider charged": { external: "replayed" },
  "business not committed": { atomic: "failed", separate: "failed", external: "replayed" },
  "business committed": { separate: "replayed", external: "replayed" },
  "completion not committed": { atomic: "failed", separate: "replayed", external: "replayed" },
  "completed, not sent": all("replayed"),
  "sent in part": all("replayed"),
};

/** What was seen of one killed request. */
export interface Killed {
  point: Point;
  order: Order;
  /** The answer to a retry while the dead owner's lease lasts. */
  atOnce: Told | null;
  /** The answer to a retry after recovery. */
  after: Told | null;
  happened: string[];
}

/** Kills a real service process once at each of these points, recovers, and reports what clients are told. */
export async function killAt(points: Point[], database: TestDatabase, layout: LayoutName): Promise<Killed[]> {
  const provider = await startProvider();
  const options = { database, layout, provider };
  let service = startService(options);
  const killed: Killed[] = [];
  try {
    for (const [turn, point] of points.entries()) {
      const modes = Object.keys(endings[point]) as Mode[];
      const order = newOrder(modes[turn % modes.length] ?? "atomic");
      const spare = startService(options);
      await placeAndDie(await service, order, point);
      killed.push({ point, order, atOnce: null, after: null, happened: [] });
      service = spare;
    }
    await lookAfter(killed, await service, options);
    return killed;
  } finally {
    await Promise.all([provider.stop(), service.then((last) => last.stop())]);
  }
}

async function placeAndDie(service: Child, order: Order, point: Point): Promise<void> {
  const exit = once(service.process, "exit");
  await place(service, order, dieAt(point));
  const [, signal] = await exit;
  if (signal !== "SIGKILL") throw new Error(`the service ended by ${signal}, not at "${point}"`);
}

async function lookAfter(killed: Killed[], service: Child, options: ServiceOptions): Promise<void> {
  for (const each of killed) each.atOnce = await place(service, each.order);
  await passTime(options.database.pool, "61 seconds");
  await recoverAll(options);
  for (const each of killed) {
    each.after = await place(service, each.order);
    each.happened = await truth(options.database, options.provider, each.order);
  }
}

/** What the worker does: leases first, then the provider is asked about what is unknown. */
async function recoverAll({ database, layout, provider }: ServiceOptions): Promise<void> {
  const db = pgDatabase(database.pool);
  const store = createStore(layout);
  const profile = (endpoint: string) => {
    const mode: Mode = endpoint.endsWith("external") ? "external" : "separate";
    return { mode, businessRecord };
  };
  await recover({ db, store, profile });
  await settleUnknown({
    db,
    store,
    ask: async (claim: Claim) => {
      const [reference] = await chargesOf(provider, claim);
      return reference ? { finding: "found_succeeded", reference } : { finding: "not_found" };
    },
    settle: async (tx, claim: Claim, { reference }) => {
      if (!reference) throw new Error("settled from nothing");
      await writeBusiness(tx, claim, reference, 201);
      return Response.json({ reference }, { status: 201 });
    },
  });
}

/** Where what clients were told and what happened do not agree, or are not what the point of death allows. */
export function disagreement({ point, order, atOnce, after, happened }: Killed): string[] {
  const ending = endings[point][order.mode];
  const right = {
    "runs now": atOnce?.status === 201 && !atOnce.replayed && replays(after, happened),
    failed: atOnce?.code === "request_in_progress" && after?.code === "outcome_pending" && happened.length === 0,
    unknown: atOnce?.code === "request_in_progress" && after?.code === "outcome_pending" && happened.length === 0,
    replayed: (atOnce?.code === "request_in_progress" || atOnce?.replayed) && replays(after, happened),
  };
  if (ending && right[ending]) return [];
  return [`${point}, ${order.mode}: ${JSON.stringify({ atOnce, after, happened })} is not "${ending}"`];
}

/** The stored answer of the one thing that happened. */
function replays(told: Told | null, happened: string[]): boolean {
  return told?.status === 201 && told.replayed && happened.length === 1 && happened[0] === told.reference;
}
