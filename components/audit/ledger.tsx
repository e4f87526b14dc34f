"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { changeQuery } from "@/components/shell/change-query";
import { useRefreshOptions } from "@/components/shell/refresh";
import { EmptyState } from "@/components/ui/empty-state";
import { PlainButton } from "@/components/ui/plain-button";
import { ProblemCard } from "@/components/ui/problem-card";
import { StaleBadge } from "@/components/ui/stale-badge";
import type { AuditEntry } from "@/lib/audit/schema";
import { auditOptions } from "./audit-options";
import classes from "./ledger.module.css";
import { LedgerFilters } from "./ledger-filters";
import { readLedgerQuery, readOpenEntry } from "./ledger-query";
import { LedgerTable } from "./ledger-table";

const EntryDrawer = dynamic(() => import("./entry-drawer").then(({ EntryDrawer }) => EntryDrawer), { ssr: false });

/** Who did what to what, newest first. An opened entry stands in the address. */
export function Ledger() {
  const t = useTranslations("ledger");
  const router = useRouter();
  const parameters = useSearchParams();
  const query = useMemo(() => new URLSearchParams(parameters), [parameters]);
  const list = useInfiniteQuery({ ...auditOptions(readLedgerQuery(query)), ...useRefreshOptions() });
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const open = readOpenEntry(query);
  const show = (entry: AuditEntry | null) =>
    router.push(changeQuery(query, { entry: entry === null ? null : `${entry.chain}/${entry.seq}` }), {
      scroll: false,
    });
  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">{t("title")}</h1>
      <LedgerFilters query={query} />
      {list.error && entries.length > 0 ? <StaleBadge error={list.error} since={list.dataUpdatedAt} /> : null}
      {list.data === undefined ? (
        list.error ? (
          <ProblemCard error={list.error} onRetry={() => void list.refetch()} />
        ) : null
      ) : entries.length === 0 ? (
        <EmptyState title={t("empty")}>
          <p>{t("emptyMeaning")}</p>
        </EmptyState>
      ) : (
        <>
          <LedgerTable entries={entries} open={open} onOpen={show} />
          {list.hasNextPage ? (
            <PlainButton onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
              {t("more")}
            </PlainButton>
          ) : null}
        </>
      )}
      {open === null ? null : <EntryDrawer address={open} onClose={() => show(null)} />}
    </div>
  );
}
