import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { AuditEntry } from "@/lib/audit/schema";
import { getJson } from "@/lib/http/client";

const AuditPage = z.object({ items: z.array(AuditEntry), nextCursor: z.string().nullable() });

/** Entries that match a filter, newest first, page by page. The filter's names are those of GET /audit. */
export function auditOptions(filter: Readonly<Record<string, string>>) {
  return infiniteQueryOptions({
    queryKey: ["audit", "list", filter],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...filter, ...(pageParam === "" ? {} : { cursor: pageParam }) });
      return getJson(`/audit?${query}`, AuditPage, signal);
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One entry. It never changes, so it is asked for once. */
export function auditEntryOptions({ chain, seq }: { chain: string; seq: string }) {
  return queryOptions({
    queryKey: ["audit", "entry", chain, seq],
    queryFn: ({ signal }) => getJson(`/audit/${encodeURIComponent(chain)}/${seq}`, AuditEntry, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
