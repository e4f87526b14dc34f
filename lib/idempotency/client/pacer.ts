import type { AttemptRecord } from "./attempt";
import type { ClientOptions } from "./client";
import type { PendingOperation } from "./store";

export interface Pacer {
  /** From then on the service may have forgotten the key: sending again could run again. */
  pastHalfTtl(): boolean;
  /** Waits for the next attempt, or says why there is no time for one. */
  wait(record: AttemptRecord, immediately: boolean): Promise<"time_used_up" | "past_half_ttl" | null>;
}

/** Decides how long to wait, and whether there is time for it. */
export function pacer(options: ClientOptions, operation: PendingOperation): Pacer {
  const { ttlMs, maxTotalMs = 300_000, baseDelayMs = 250, maxDelayMs = 30_000 } = options;
  const { now = Date.now, sleep = pause, random = Math.random } = options;
  const began = now();
  const halfTtl = operation.startedAt + ttlMs / 2;
  return {
    pastHalfTtl: () => now() >= halfTtl,
    async wait(record, immediately) {
      const jitter = random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (record.number - 1));
      const delay = immediately ? 0 : (record.retryAfterMs ?? 0) + jitter;
      if (now() + delay >= halfTtl) return "past_half_ttl";
      if (now() + delay >= began + maxTotalMs) return "time_used_up";
      await sleep(delay);
      return null;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
