"use client";

import { useTable } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useChords } from "@/components/shell/use-chords";
import type { KeySummary } from "@/lib/lookup/schema";
import { keyHref } from "./addresses";
import { columnsFor, features, type KeyColumn, keyColumns } from "./key-columns";
import classes from "./key-table.module.css";
import { useKeyCells } from "./use-key-cells";

const ROW_HEIGHT = 38;
/** Rows drawn beyond the window, so that scrolling shows no gaps. */
const OVERSCAN = 12;

interface KeyTableProps {
  items: readonly KeySummary[];
  showTenant: boolean;
  showMatch: boolean;
}

/** The list as a table of which only the rows in sight are drawn. `j`, `k` and Enter work on it. */
export function KeyTable({ items, showTenant, showMatch }: KeyTableProps) {
  const t = useTranslations("keys");
  const router = useRouter();
  const cells = useKeyCells();
  const [current, setCurrent] = useState(-1);
  const body = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  }, []);
  const columns = useMemo(() => {
    const hidden: ReadonlySet<KeyColumn> = new Set<KeyColumn>([
      ...(showTenant ? [] : ["tenant" as const]),
      ...(showMatch ? [] : ["match" as const]),
    ]);
    const names = Object.fromEntries(keyColumns.map((column) => [column, t(`column.${column}`)])) as Record<
      KeyColumn,
      string
    >;
    return columnsFor(cells, names, new Set(keyColumns.filter((column) => !hidden.has(column))));
  }, [cells, showTenant, showMatch, t]);
  const data = useMemo(() => [...items], [items]);
  const table = useTable({ features, columns, data });
  const rows = table.getRowModel().rows;
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: { width: 1280, height: 900 },
  });
  const move = (step: number) => {
    const next = Math.min(Math.max(current + step, 0), rows.length - 1);
    setCurrent(next);
    virtual.scrollToIndex(next, { align: "auto" });
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus({ preventScroll: true }),
    );
  };
  useChords({ j: () => move(1), k: () => move(-1) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot express
    <div
      role="table"
      className={classes.table}
      aria-rowcount={rows.length + 1}
      aria-label={t("title")}
      data-columns={showTenant ? (showMatch ? "both" : "tenant") : showMatch ? "match" : "plain"}
    >
      {table.getHeaderGroups().map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: see the table
        // biome-ignore lint/a11y/useFocusableInteractive: a row of a static table takes no focus
        <div key={group.id} role="row" className={classes.head} aria-rowindex={1}>
          {group.headers.map((header) => (
            // biome-ignore lint/a11y/useSemanticElements: see the table
            // biome-ignore lint/a11y/useFocusableInteractive: a static header takes no focus
            <div key={header.id} role="columnheader" data-column={header.column.id}>
              <table.FlexRender header={header} />
            </div>
          ))}
        </div>
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: see the table */}
      <div ref={body} role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          const href = keyHref(row.original);
          return (
            // biome-ignore lint/a11y/useSemanticElements: see the table
            // biome-ignore lint/a11y/useFocusableInteractive: the link inside is what takes the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is what the keyboard opens
            <div
              key={key}
              role="row"
              ref={virtual.measureElement}
              data-index={index}
              className={classes.row}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
              onClick={(event) => isPlainClick(event.target) && router.push(href)}
              onFocus={() => setCurrent(index)}
            >
              {row.getAllCells().map((cell) => (
                // biome-ignore lint/a11y/useSemanticElements: see the table
                <div key={cell.id} role="cell" data-column={cell.column.id}>
                  <table.FlexRender cell={cell} />
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A click beside the row's own links and buttons, and not the end of marking text to copy. */
function isPlainClick(target: EventTarget): boolean {
  const own = target instanceof Element && target.closest("a, button") !== null;
  return !own && (window.getSelection()?.isCollapsed ?? true);
}
