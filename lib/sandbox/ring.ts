import type { BodyKey } from "@/lib/env";
import type { KeyRing } from "@/lib/idempotency";

/** The environment's keys as the contract library takes them; null where there are none and bodies stay plain. */
export function ringOf(keys: readonly BodyKey[]): KeyRing | null {
  const [first] = keys;
  return first ? { current: first.id, keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])) } : null;
}
