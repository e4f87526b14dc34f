"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { search, searchPasted } from "@/lib/lookup/client";
import type { SearchAnswer } from "@/lib/lookup/schema";
import { keyHref, resultsHref } from "./addresses";
import { hashText } from "./hash-text";

/** What the last pasted text found. Lives in memory only: the text may be a key. */
export interface Found {
  href: string;
  answer: SearchAnswer;
}

interface Find {
  find: (text: string, tenantId?: string) => Promise<void>;
  /** A customer may be an e-mail address, so it travels and stays like a key. */
  findCustomer: (customer: string, tenantId?: string) => Promise<void>;
  pending: boolean;
  found: Found | null;
  error: Error | null;
}

const idle = { pending: false, found: null, error: null };

const FindContext = createContext<Find | null>(null);

/** Carries a pasted text from the search box to its page without ever writing it into an address. */
export function FindProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [state, setState] = useState<Pick<Find, "pending" | "found" | "error">>(idle);
  const latest = useRef(0);
  const run = useCallback(
    async (text: string, tenantId: string | undefined, ask: () => Promise<SearchAnswer>) => {
      latest.current += 1;
      const mine = latest.current;
      setState({ ...idle, pending: true });
      try {
        const answer = await ask();
        const only = answer.nextCursor === null && answer.items.length === 1 ? answer.items[0] : undefined;
        const href = only ? keyHref(only) : resultsHref(answer, text, await hashText(text), tenantId);
        if (mine !== latest.current) return;
        setState({ ...idle, found: only ? null : { href, answer } });
        router.push(href);
      } catch (error) {
        if (mine !== latest.current) return;
        setState({ ...idle, error: error instanceof Error ? error : new Error(String(error)) });
        router.push("/keys");
      }
    },
    [router],
  );
  const value = useMemo(() => {
    const scope = (tenantId?: string) => (tenantId ? { tenantId } : {});
    return {
      ...state,
      find: (text: string, tenantId?: string) => run(text, tenantId, () => searchPasted(text, scope(tenantId))),
      findCustomer: (customer: string, tenantId?: string) =>
        run(customer, tenantId, () => search({ ...scope(tenantId), customer })),
    };
  }, [state, run]);
  return <FindContext value={value}>{children}</FindContext>;
}

export function useFind(): Find {
  const find = useContext(FindContext);
  if (!find) throw new Error("useFind needs a FindProvider above it.");
  return find;
}
