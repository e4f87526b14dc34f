import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AppError } from "@/lib/http/errors";

/** Fills a cache on the server and hands it to the browser's. What is not there, or out of reach, is the page's 404. */
export async function Prefetched({
  fill,
  children,
}: {
  fill: (cache: QueryClient) => Promise<unknown>;
  children: ReactNode;
}) {
  const cache = new QueryClient();
  try {
    await fill(cache);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
  return <HydrationBoundary state={dehydrate(cache)}>{children}</HydrationBoundary>;
}
