"use client";

import { useRouter } from "next/navigation";
import type { KeySummary } from "@/lib/lookup/schema";
import { keyHref } from "./addresses";
import type { KeyCells, KeyColumn } from "./key-columns";
import classes from "./key-table.module.css";

interface KeyRowProps {
  item: KeySummary;
  index: number;
  columns: readonly KeyColumn[];
  cells: KeyCells;
  onFocus: (index: number) => void;
}

/** One operation of the list. Its link is what the keyboard opens; a click anywhere beside it does the same. */
export function KeyRow({ item, index, columns, cells, onFocus }: KeyRowProps) {
  const router = useRouter();
  return (
    // biome-ignore lint/a11y: rows out of sight are not drawn, which a table element cannot express; the link inside takes focus and keys
    <div
      role="row"
      data-index={index}
      className={classes.row}
      aria-rowindex={index + 2}
      style={{ "--index": index }}
      onClick={(event) => isPlainClick(event.target) && router.push(keyHref(item))}
      onFocus={() => onFocus(index)}
    >
      {columns.map((column) => (
        // biome-ignore lint/a11y: as the row
        <div key={column} role="cell" data-column={column}>
          {cells[column](item)}
        </div>
      ))}
    </div>
  );
}

/** A click beside the row's own links and buttons, and not the end of marking text to copy. */
function isPlainClick(target: EventTarget): boolean {
  const own = target instanceof Element && target.closest("a, button") !== null;
  return !own && (window.getSelection()?.isCollapsed ?? true);
}
