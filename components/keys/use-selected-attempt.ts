"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** The attempt that picture, table and facts point at. Kept in the address, so that a link shows the same. */
export function useSelectedAttempt(): [string | null, (eventId: string) => void] {
  const parameters = useSearchParams();
  const select = useCallback((eventId: string) => {
    const query = new URLSearchParams(window.location.search);
    if (query.get("attempt") === eventId) return;
    query.set("attempt", eventId);
    window.history.replaceState(null, "", `?${query}`);
  }, []);
  return [parameters.get("attempt"), select];
}
