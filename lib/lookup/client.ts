import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { getJson, postJson } from "@/lib/http/client";
import { readKey } from "@/lib/idempotency/key-syntax";
import { Chain, KeyDetail, SearchAnswer, type SearchRequest } from "./schema";

/** An operation by its row, or by hash where the row may be gone. */
export type KeyAddress =
  | { tenantId: string; id: string }
  | { tenantId: string; keyHash: string; endpoint?: string | undefined };

export const lookupKeys = {
  all: ["lookup"] as const,
  searches: () => [...lookupKeys.all, "search"] as const,
  search: (request: SearchRequest) => [...lookupKeys.searches(), request] as const,
  operation: (address: KeyAddress) => [...lookupKeys.all, "operation", address] as const,
  detail: (address: KeyAddress) => [...lookupKeys.operation(address), "detail"] as const,
  chain: (address: KeyAddress) => [...lookupKeys.operation(address), "chain"] as const,
};

/** Address of an operation under `/api/v1`: ids and hashes only, never a key. */
export function operationPath(address: KeyAddress, part: "" | "/chain" = ""): string {
  const tenant = `/tenants/${encodeURIComponent(address.tenantId)}/keys`;
  if ("id" in address) return `${tenant}/${encodeURIComponent(address.id)}${part}`;
  const query = address.endpoint ? `?endpoint=${encodeURIComponent(address.endpoint)}` : "";
  return `${tenant}/by-hash/${encodeURIComponent(address.keyHash)}${part}${query}`;
}

export function keyDetailOptions(address: KeyAddress) {
  return queryOptions({
    queryKey: lookupKeys.detail(address),
    queryFn: ({ signal }) => getJson(operationPath(address), KeyDetail, signal),
  });
}

export function keyChainOptions(address: KeyAddress) {
  return queryOptions({
    queryKey: lookupKeys.chain(address),
    queryFn: ({ signal }) => getJson(operationPath(address, "/chain"), Chain, signal),
  });
}

/** A list or search, page by page. `request` must not hold a raw key: it becomes part of the cache's key. */
export function keySearchOptions(request: Omit<SearchRequest, "cursor" | "key" | "text">) {
  return infiniteQueryOptions({
    queryKey: lookupKeys.search(request),
    queryFn: ({ pageParam, signal }) => search(pageParam ? { ...request, cursor: pageParam } : request, signal),
    initialPageParam: "",
    getNextPageParam: (page: SearchAnswer) => page.nextCursor,
  });
}

export function search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
  return postJson("/keys/search", request, SearchAnswer, { signal });
}

/**
 * Finds whatever was pasted. A text that may be a key is hashed here and asked for by its hash; only where that finds
 * nothing does the text itself travel, in the body of a POST. Call it from an event, never as a cached query.
 */
export async function searchPasted(text: string, scope: { tenantId?: string } = {}): Promise<SearchAnswer> {
  const keyHash = await hashInBrowser(text);
  const byHash = keyHash ? await search({ ...scope, keyHash }) : null;
  if (!byHash || byHash.items.length === 0) return search({ ...scope, text });
  return { ...byHash, items: byHash.items.map((item) => ({ ...item, matchedAs: "key" })) };
}

/** SHA-256 of the key the text spells; null where it spells none, or the page is not served securely. */
async function hashInBrowser(text: string): Promise<string | null> {
  const reading = readKey(text);
  if (!reading.ok || !globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(reading.key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
