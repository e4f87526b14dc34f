import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { getJson } from "@/lib/http/client";
import { View, type ViewPage } from "@/lib/views/schema";

const ViewList = z.object({ items: z.array(View) });

export const viewsKey = (page: z.infer<typeof ViewPage>) => ["views", page] as const;

/** The views of a page that the operator may open. */
export function viewsOptions(page: z.infer<typeof ViewPage>) {
  return queryOptions({
    queryKey: viewsKey(page),
    queryFn: ({ signal }) => getJson(`/views?page=${page}`, ViewList, signal),
    staleTime: 60_000,
  });
}
