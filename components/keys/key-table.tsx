"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useChords } from "@/components/shell/use-chords";
import type { KeySummary } from "@/lib/lookup/schema";
import { shownColumns } from "./key-columns";
import { KeyRow } from "./key-row";
import classes from "./key-table.module.css";
import { useKeyCells } from "./use-key-cells";

const ROW_HEIGHT = 38;
/** Rows drawn beyond the window, so that scrolling shows no gaps. */
const OVERSCAN = 12;
/** What the server draws before it knows the window, in px. */
const FIRST_WINDOW = { width: 1280, height: 900 };

interface KeyTableProps {
  items: readonly KeySummary[];
  showTenant: boolean;
  showMatch: boolean;
}

/** The list as a table of which only the rows in sight are drawn. `j`, `k` and Enter work on it. */
export function KeyTable({ items, showTenant, showMatch }: KeyTableProps) {
  const t = useTranslations("keys");
  const cells = useKeyCells();
  const [current, setCurrent] = useState(-1);
  const body = useRef<HTMLDivElement>(null);
  const scrollMargin = useTop(body);
  const columns = useMemo(() => shownColumns({ tenant: showTenant, match: showMatch }), [showTenant, showMatch]);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: FIRST_WINDOW,
  });
  const move = (step: number) => {
    const next = Math.min(Math.max(current + step, 0), items.length - 1);
    setCurrent(next);
    virtual.scrollToIndex(next, { align: "auto" });
    // The row may be drawn only now; it takes the focus once it is.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus());
  };
  useChords({ j: () => move(1), k: () => move(-1) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot express
    <div
      role="table"
      className={classes.table}
      aria-rowcount={items.length + 1}
      aria-label={t("title")}
      data-columns={showTenant ? (showMatch ? "both" : "tenant") : showMatch ? "match" : "plain"}
    >
      {/* biome-ignore lint/a11y: a row and its headers take no focus in a table that only shows; see above for the element */}
      <div role="row" className={classes.head} aria-rowindex={1}>
        {columns.map((column) => (
          // biome-ignore lint/a11y: as the row
          <div key={column} role="columnheader" data-column={column}>
            {t(`column.${column}`)}
          </div>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: see the table */}
      <div ref={body} role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <KeyRow
              key={`${item.tenantId}${item.id ?? item.keyHash}${item.createdAt}`}
              item={item}
              index={index}
              offset={start - scrollMargin}
              columns={columns}
              cells={cells}
              onMeasure={virtual.measureElement}
              onFocus={setCurrent}
            />
          );
        })}
      </div>
    </div>
  );
}

/** How far below the page's top an element begins, in px. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
  }, [element]);
  return top;
}
