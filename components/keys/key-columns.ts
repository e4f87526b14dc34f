import type { ReactNode } from "react";
import type { KeySummary } from "@/lib/lookup/schema";

/** Every column of the list, in the house order. */
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

/** How each column draws its cell; the table around it places them. */
export type KeyCells = Record<KeyColumn, (key: KeySummary) => ReactNode>;

/** The columns a list has a use for: the tenant where there are several, how it matched where something was looked for. */
export function shownColumns({ tenant, match }: { tenant: boolean; match: boolean }): readonly KeyColumn[] {
  return keyColumns.filter((column) => (column !== "tenant" || tenant) && (column !== "match" || match));
}
