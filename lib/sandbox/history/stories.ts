import { type ClientKind, closedKinds, openKinds, Pen, type PlannedAttempt } from "../clients";
import type { Random } from "../random";
import type { SandboxTenant } from "../tenants";

/** One client's doings: attempts at times after `startedAt` (epoch ms). */
export interface Story {
  kind: ClientKind;
  tenant: SandboxTenant;
  startedAt: number;
  attempts: PlannedAttempt[];
}

export interface StoryPlan {
  count: number;
  /** Epoch ms. */
  from: number;
  until: number;
}

const DAY_MS = 86_400_000;
/** Nothing but what is meant to be open is open at the end: every story has this long to be settled. */
const SETTLED_MS = 35_000;

/** Tells `count` stories in the order they begin, the last ones still open at the end of the period. */
export function* tellStories(random: Random, tenants: readonly SandboxTenant[], plan: StoryPlan) {
  for (const startedAt of startTimes(random, plan)) {
    yield tellClosed(random, random.weighted(tenants), startedAt, plan.until);
  }
  for (const kind of openKinds) {
    const count = Math.max(2, Math.round((plan.count * kind.weight) / 10_000));
    for (let made = 0; made < count; made++) {
      const startedAt = plan.until - (kind.openAtEndMs ?? 0) - random.integer(0, 300);
      yield tell(random, kind, random.weighted(tenants), startedAt);
    }
  }
}

/** Busy in the middle of the UTC day, quiet at night: four times as many stories begin at noon as at midnight. */
function startTimes(random: Random, { count, from, until }: StoryPlan): number[] {
  const times: number[] = [];
  while (times.length < count) {
    const time = from + random.fraction() * (until - SETTLED_MS - from);
    const busy = 0.625 - 0.375 * Math.cos((2 * Math.PI * (time % DAY_MS)) / DAY_MS);
    if (random.fraction() < busy) times.push(Math.floor(time));
  }
  return times.sort((a, b) => a - b);
}

/** A story that would outlast the period is told anew as another kind; the shortest always fits. */
function tellClosed(random: Random, tenant: SandboxTenant, startedAt: number, until: number): Story {
  for (;;) {
    const story = tell(random, random.weighted(closedKinds), tenant, startedAt);
    const end = Math.max(...story.attempts.map(({ atMs }) => atMs));
    if (startedAt + end + SETTLED_MS <= until) return story;
  }
}

function tell(random: Random, kind: ClientKind, tenant: SandboxTenant, startedAt: number): Story {
  return { kind, tenant, startedAt, attempts: kind.tell(new Pen(random, tenant, startedAt)) };
}
