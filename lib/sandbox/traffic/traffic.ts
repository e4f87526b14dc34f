import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random";
import type { SandboxTenant } from "../tenants";
import { nextShopper, requestOf, type Shopper } from "./shopper";

export interface TrafficOptions {
  random: Random;
  tenants: readonly SandboxTenant[];
  /** Where the service is, for example `http://127.0.0.1:3000`. */
  address: string;
  /** Clients that begin in a second, on average. */
  perSecond: number;
  signal: AbortSignal;
  /** Told when every attempt of a client was answered: only then is its truth known. */
  onDone: (shopper: Shopper) => Promise<void>;
  report: (error: unknown) => void;
}

/** What was sent so far. */
export interface TrafficCounts {
  clients: number;
  answered: number;
  unanswered: number;
}

/** Requests under way at most; above it no new client begins. */
const MOST_UNDER_WAY = 24;
const ANSWER_WITHIN_MS = 15_000;
/** How long nobody begins after a request found no service, which is then being restarted. */
const PAUSE_MS = 3_000;

/** Lets clients begin, gently and at random moments, until `signal`; retries of hours are waited for in this process. */
export async function sendTraffic(options: TrafficOptions, counts: TrafficCounts): Promise<void> {
  const { random, tenants, perSecond, signal, report } = options;
  let underWay = 0;
  let pausedUntil = 0;

  async function attempt(shopper: Shopper, index: number): Promise<boolean> {
    const planned = shopper.attempts[index];
    if (!planned) return true;
    await sleep(planned.atMs, undefined, { signal });
    underWay++;
    const answered = await isAnswered(requestOf(shopper, planned, options.address), signal).finally(() => underWay--);
    counts[answered ? "answered" : "unanswered"]++;
    if (!answered) pausedUntil = performance.now() + PAUSE_MS;
    return answered;
  }

  async function play(shopper: Shopper): Promise<void> {
    const answered = await Promise.all(shopper.attempts.map((_, index) => attempt(shopper, index)));
    if (answered.every(Boolean)) await options.onDone(shopper);
  }

  while (!signal.aborted) {
    await sleep((-Math.log(1 - random.fraction()) * 1_000) / perSecond, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || underWay >= MOST_UNDER_WAY || performance.now() < pausedUntil) continue;
    counts.clients++;
    play(nextShopper(random, tenants)).catch((error) => signal.aborted || report(error));
  }
}

/** Whether the service answered anything at all; its body is read, so that the connection can be used again. */
async function isAnswered(request: Request, stop: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(request, { signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)]) });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
