import { createHash } from "node:crypto";
import { change, type Endpoint } from "./endpoint";
import { event } from "./events";
import { eventBase, type Intake } from "./intake";
import { hashKey } from "./key-hash";
import { EffectRefused } from "./outcomes";
import type { Claim, Operation } from "./store/rows";

/** The same for every attempt of an operation, so that the provider recognises a re-send and can search for it later. */
export function downstreamKey({ tenant, endpoint, key }: Operation, step: string): string {
  return createHash("sha256")
    .update(JSON.stringify([tenant, endpoint, key, step]))
    .digest("hex");
}

/** The effects of one run. */
export interface Effects {
  started: () => boolean;
  run<T>(step: string, timeoutMs: number, call: (signal: AbortSignal, downstreamKey: string) => Promise<T>): Promise<T>;
}

export function trackEffects(endpoint: Endpoint, intake: Intake, claim: Claim): Effects {
  let started = false;
  return {
    started: () => started,
    async run(step, timeoutMs, call) {
      // The call's time starts before the row is written, so that it always ends within the lease judged there.
      const signal = AbortSignal.timeout(timeoutMs);
      const key = downstreamKey(intake.operation, step);
      const allowed = await recordEffect(endpoint, intake, claim, { step, timeoutMs, downstreamKey: key });
      if (!allowed || signal.aborted) throw new EffectRefused(`Effect ${step} was not started`);
      started = true;
      return abortable(signal, async () => call(signal, key));
    },
  };
}

function recordEffect(
  endpoint: Endpoint,
  intake: Intake,
  claim: Claim,
  effect: { step: string; timeoutMs: number; downstreamKey: string },
): Promise<boolean> {
  const { options, store } = endpoint;
  return change(options, async (tx) => {
    const at = await store.recordEffect(tx, claim, effect);
    if (at === null) return false;
    const more = { ...intake.facts, downstreamKeyHash: hashKey(effect.downstreamKey) };
    await options.sink?.inTransaction(tx, [event(eventBase(endpoint, intake), "effect_started", at, more)]);
    return true;
  });
}

/** Ends with the timeout even where the call ignores its signal; what it does after that is the unknown. */
async function abortable<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  let stop: () => void = () => undefined;
  const timeout = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([call(), timeout]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
