"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useChords } from "@/components/shell/use-chords";
import type { KeySummary } from "@/lib/lookup/schema";
import { shownColumns } from "./key-columns";
import { KeyRow } from "./key-row";
import classes from "./key-table.module.css";
import { useKeyCells } from "./use-key-cells";
import { useRowGround } from "./use-row-ground";

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
  const { top: scrollMargin, rowHeight } = useRowGround(body);
  const columns = useMemo(() => shownColumns({ tenant: showTenant, match: showMatch }), [showTenant, showMatch]);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: FIRST_WINDOW,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are kept per row until told that all are new
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
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
      <div ref={body} role="rowgroup" className={classes.body} style={{ "--rows": items.length }}>
        {virtual.getVirtualItems().map(({ index }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <KeyRow
              key={`${item.tenantId}${item.id ?? item.keyHash}${item.createdAt}`}
              item={item}
              index={index}
              columns={columns}
              cells={cells}
              onFocus={setCurrent}
            />
          );
        })}
      </div>
    </div>
  );
}
