"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { keepPreference } from "./preference";

interface Refresh {
  /** What the operator chose, in seconds; 0 is off. */
  seconds: number;
  /** Paused by a selection or an open dialog. */
  paused: boolean;
  choose: (seconds: number) => void;
  hold: (reason: string, held: boolean) => void;
}

const RefreshContext = createContext<Refresh | null>(null);

/** The one live-refresh control: every query that refreshes asks it for its interval. */
export function RefreshProvider({ initialSeconds, children }: { initialSeconds: number; children: ReactNode }) {
  const [seconds, setSeconds] = useState(initialSeconds);
  const [holds, setHolds] = useState<ReadonlySet<string>>(new Set());
  const hold = useCallback((reason: string, held: boolean) => {
    setHolds((before) => {
      if (before.has(reason) === held) return before;
      const after = new Set(before);
      if (held) after.add(reason);
      else after.delete(reason);
      return after;
    });
  }, []);
  const choose = useCallback((chosen: number) => {
    setSeconds(chosen);
    keepPreference("refreshSeconds", String(chosen));
  }, []);
  const paused = holds.size > 0;
  const value = useMemo(() => ({ seconds, paused, choose, hold }), [seconds, paused, choose, hold]);
  return <RefreshContext value={value}>{children}</RefreshContext>;
}

export function useRefresh(): Refresh {
  const refresh = useContext(RefreshContext);
  if (!refresh) throw new Error("useRefresh needs a RefreshProvider above it.");
  return refresh;
}

/** Query options that follow the control. Off or paused also stops refetching on focus and reconnect. */
export function useRefreshOptions() {
  const { seconds, paused } = useRefresh();
  const live = seconds > 0 && !paused;
  return {
    refetchInterval: live ? seconds * 1_000 : (false as const),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: live,
    refetchOnReconnect: live,
  };
}

/** Pauses the refresh while `held`: a row must not move under a hand that is about to press. */
export function useHoldRefresh(reason: string, held: boolean): void {
  const { hold } = useRefresh();
  useEffect(() => {
    hold(reason, held);
    return () => hold(reason, false);
  }, [hold, reason, held]);
}

/** When the page's data last arrived, as epoch ms; null before anything did. */
export function useAsOf(): number | null {
  const client = useQueryClient();
  const [asOf, setAsOf] = useState<number | null>(null);
  useEffect(() => {
    const read = () => {
      const times = client
        .getQueryCache()
        .getAll()
        .filter((query) => query.isActive())
        .map((query) => query.state.dataUpdatedAt);
      const latest = Math.max(0, ...times);
      setAsOf(latest === 0 ? null : latest);
    };
    read();
    return client.getQueryCache().subscribe(() => queueMicrotask(read));
  }, [client]);
  return asOf;
}
