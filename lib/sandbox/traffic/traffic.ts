import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlannedAttempt } from "../clients";
import type { Random } from "../random";
import type { SandboxTenant } from "../tenants";
import { type Sent, send } from "./send";
import { nextShopper, requestOf, type Shopper } from "./shopper";

export interface TrafficOptions {
  random: Random;
  tenants: readonly SandboxTenant[];
  /** Where the service is, for example `http://127.0.0.1:3000`. */
  address: string;
  /** Clients that begin in a second, on average. */
  perSecond: number;
  signal: AbortSignal;
  /** Told when every attempt of a client went as planned: only then is its truth known. */
  onDone: (shopper: Shopper) => Promise<void>;
  report: (error: unknown) => void;
}

/** What was sent so far: clients, and their attempts. */
export interface TrafficCounts extends Record<Sent, number> {
  clients: number;
}

/** Requests under way at most; above it no new client begins. */
const MOST_UNDER_WAY = 24;
/** How long nobody begins after a request found no service, which is then being restarted. */
const PAUSE_MS = 3_000;

/** Lets clients begin, gently and at random moments, until `signal`; retries of hours are waited for in this process. */
export async function sendTraffic(options: TrafficOptions, counts: TrafficCounts): Promise<void> {
  const { random, tenants, perSecond, signal, report } = options;
  setMaxListeners(0, signal); // everything that waits or is under way listens to it
  let underWay = 0;
  let pausedUntil = 0;

  async function attempt(shopper: Shopper, planned: PlannedAttempt): Promise<Sent> {
    await sleep(planned.atMs, undefined, { signal });
    underWay++;
    const sent = await send(requestOf(shopper, planned, options.address), planned, signal).finally(() => underWay--);
    counts[sent]++;
    if (sent === "unanswered") pausedUntil = performance.now() + PAUSE_MS;
    return sent;
  }

  async function play(shopper: Shopper): Promise<void> {
    const sent = await Promise.all(shopper.attempts.map((planned) => attempt(shopper, planned)));
    if (sent.every((outcome) => outcome === "as_planned")) await options.onDone(shopper);
  }

  while (!signal.aborted) {
    await sleep((-Math.log(1 - random.fraction()) * 1_000) / perSecond, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || underWay >= MOST_UNDER_WAY || performance.now() < pausedUntil) continue;
    counts.clients++;
    play(nextShopper(random, tenants)).catch((error) => signal.aborted || report(error));
  }
}
