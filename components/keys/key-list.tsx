"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useRefreshOptions } from "@/components/shell/refresh";
import { PlainButton } from "@/components/ui/plain-button";
import { ProblemCard } from "@/components/ui/problem-card";
import { StaleBadge } from "@/components/ui/stale-badge";
import { keySearchOptions } from "@/lib/lookup/client";
import type { SearchAnswer } from "@/lib/lookup/schema";
import { useFind } from "./find";
import classes from "./key-list.module.css";
import { KeyTable } from "./key-table";
import { ListEmpty } from "./list-empty";
import { ListFilters } from "./list-filters";
import { isNarrowed, readListQuery } from "./list-query";
import { ListSkeleton } from "./list-skeleton";

/** Operations that match the address, newest first, or what a pasted text found. */
export function KeyList() {
  const t = useTranslations("keys");
  const path = usePathname();
  const parameters = useSearchParams();
  const { found, error: findError, pending } = useFind();
  const request = useMemo(() => readListQuery(new URLSearchParams(parameters)), [parameters]);
  const pasted = found !== null && sameAddress(found.href, `${path}?${parameters}`) ? found.answer : null;
  const list = useInfiniteQuery({ ...keySearchOptions(request), ...useRefreshOptions(), enabled: pasted === null });
  const pages: readonly SearchAnswer[] = pasted ? [pasted] : (list.data?.pages ?? []);
  const items = useMemo(() => pages.flatMap((page) => page.items), [pages]);
  const first = pages[0];
  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">{t("title")}</h1>
      <ListFilters request={request} items={items} />
      {findError ? <ProblemCard error={findError} /> : null}
      {list.error && items.length > 0 ? <StaleBadge error={list.error} since={list.dataUpdatedAt} /> : null}
      {first === undefined ? (
        list.error ? (
          <ProblemCard error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : items.length === 0 ? (
        <ListEmpty answer={first} narrowed={isNarrowed(request) || pasted !== null} />
      ) : (
        <div data-stale={list.isError || pending || undefined} className={classes.results}>
          <KeyTable
            items={items}
            showTenant={request.tenantId === undefined}
            showMatch={items.some(({ matchedAs }) => matchedAs)}
          />
          {list.hasNextPage && pasted === null ? (
            <PlainButton onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
              {t("more")}
            </PlainButton>
          ) : (
            <p className={classes.end}>{t("end", { count: items.length })}</p>
          )}
        </div>
      )}
    </div>
  );
}

/** Compares two addresses whatever the order of their parameters and the spelling of their escapes. */
function sameAddress(one: string, other: string): boolean {
  const [left, right] = [one, other].map((address) => {
    const { pathname, searchParams } = new URL(address, "http://desk");
    searchParams.sort();
    return `${pathname}?${searchParams}`;
  });
  return left === right;
}
