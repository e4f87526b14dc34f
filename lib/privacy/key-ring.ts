import "server-only";
import { type BodyKey, env } from "@/lib/env";
import type { KeyRing } from "@/lib/idempotency";

/**
 * The keys that bodies are sealed under, as the contract library takes them: the first seals, all open. By default the
 * environment's own. Null where there are none, as in tests of a bare database; bodies then stay as they are.
 */
export function bodyKeyRing(keys: readonly BodyKey[] = env().IDEMDESK_BODY_KEYS): KeyRing | null {
  const [first] = keys;
  return first ? { current: first.id, keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])) } : null;
}
