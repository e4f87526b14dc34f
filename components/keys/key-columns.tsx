import { createColumnHelper, tableFeatures } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { KeySummary } from "@/lib/lookup/schema";

export const features = tableFeatures({});

/** How each column draws its cell; the table around it places them. */
export type KeyCells = Record<KeyColumn, (key: KeySummary) => ReactNode>;

export const keyColumns = [
  "state",
  "status",
  "endpoint",
  "key",
  "hash",
  "tenant",
  "created",
  "expires",
  "size",
  "match",
] as const;
export type KeyColumn = (typeof keyColumns)[number];

const helper = createColumnHelper<typeof features, KeySummary>();

/** Columns for the cells given, in the house order; `shown` leaves out what the list has no use for. */
export function columnsFor(cells: KeyCells, names: Record<KeyColumn, string>, shown: ReadonlySet<KeyColumn>) {
  return helper.columns(
    keyColumns
      .filter((column) => shown.has(column))
      .map((column) =>
        helper.display({ id: column, header: names[column], cell: ({ row }) => cells[column](row.original) }),
      ),
  );
}
