import type { KeySummary, MatchedAs, SearchAnswer } from "@/lib/lookup/schema";

/** Address of an operation's page: by its row, or by hash where the row is gone. Never holds a key. */
export function keyHref(key: Pick<KeySummary, "tenantId" | "id" | "keyHash" | "endpoint">): string {
  const tenant = encodeURIComponent(key.tenantId);
  if (key.id !== null) return `/keys/${tenant}/${key.id}`;
  return hashHref(key);
}

/** Address of whatever is known under a hash: its newest record, events or archive. */
export function hashHref(key: { tenantId: string; keyHash: string; endpoint?: string | null }): string {
  const query = key.endpoint ? `?endpoint=${encodeURIComponent(key.endpoint)}` : "";
  return `/keys/${encodeURIComponent(key.tenantId)}/by-hash/${key.keyHash}${query}`;
}

/** Readings that are names for an attempt or an order: they are no key, so they may stand in an address. */
const PUBLIC_READINGS: ReadonlySet<MatchedAs> = new Set([
  "fingerprint",
  "keyHash",
  "keyHashPrefix",
  "requestId",
  "traceId",
  "providerReference",
  "reference",
]);

/**
 * Address of the list that a pasted text led to. The text itself stands in it only where a hit proved it to be a public
 * identifier; otherwise its hash does, because it may be a key. Customers may be e-mail addresses, so they never do.
 */
export function resultsHref(answer: SearchAnswer, text: string, textHash: string | null, tenantId?: string): string {
  const query = new URLSearchParams(tenantId ? { tenant: tenantId } : {});
  const reading = answer.items.map(({ matchedAs }) => matchedAs).find((as) => as && PUBLIC_READINGS.has(as));
  if (reading) query.set(reading, text);
  else if (textHash) query.set("keyHash", textHash);
  return `/keys?${query}`;
}
