import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { getJson } from "@/lib/http/client";

const TenantPage = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });

/** A tenant's name seldom changes, so it is asked for once a minute at most. */
const STALE_AFTER_MS = 60_000;

/** Tenants in the operator's reach whose name or id contains the text; the first page of all for an empty one. */
export function tenantsOptions(query: string) {
  const path = query === "" ? "/tenants" : `/tenants?${new URLSearchParams({ query })}`;
  return queryOptions({
    queryKey: ["tenants", query],
    queryFn: ({ signal }) => getJson(path, TenantPage, signal),
    staleTime: STALE_AFTER_MS,
  });
}
