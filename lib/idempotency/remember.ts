import type { Memory, Mode } from "./options";

const refusedBefore = new Set([401, 403, 408, 425, 429]);

/**
 * What becomes of a response a handler returned. A refusal that provably changed nothing is released, a gateway's
 * word about an effect already started is unknown, and everything else is the deterministic result and is stored.
 * "Provably": an atomic transaction is rolled back, an external endpoint has started no effect.
 */
export function defaultMemory(status: number, mode: Mode, effectStarted: boolean): Memory {
  if (effectStarted) return status >= 502 && status <= 504 ? "unknown" : "store";
  if (mode === "separate") return "store";
  return status >= 500 || refusedBefore.has(status) ? "release" : "store";
}
