import "server-only";
import { z } from "zod";
import type { Transaction } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { makeCursor, readCursor } from "@/lib/http/cursor";
import { summaryOf, type Yardstick } from "../rules/summary";
import { type SearchAnswer, type SearchInput, sortOrders, Time } from "../schema";
import type { Speaker } from "../speaker";
import { listKeys } from "./list";

const Position = z.object({ createdAt: Time, id: z.string().regex(/^-?\d+$/) });

interface ListSearch {
  scope: Scope;
  tenantIds: readonly string[];
  input: SearchInput;
  yardstick: Yardstick;
  say: Speaker;
}

/** A page of keys by time, without counting the whole. Rows that are gone cannot be listed, only found. */
export async function searchList(tx: Transaction, search: ListSearch): Promise<SearchAnswer> {
  const { scope, tenantIds, input, yardstick, say } = search;
  const { cursor, limit, sort, ...filter } = input;
  const direction = sortOrders[sort];
  const binding = { scope, filter: { list: "keys", direction, ...filter } };
  const after = cursor === undefined ? null : await readCursor(binding, cursor, Position);
  const gone = input.phase === "cleaned";
  const rows = gone ? [] : await listKeys(tx, tenantIds, { ...filter, direction, after, limit });
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const told = { params: { by: "list", tenants: tenantIds.length } };
  return {
    items: rows.slice(0, limit).map((row) => summaryOf(row, yardstick)),
    nextCursor: last ? await makeCursor(binding, { createdAt: last.createdAt, id: last.id }) : null,
    searched: gone
      ? []
      : [{ by: "list", where: "keys", from: null, to: null, ...say.searched({ code: "rows", ...told }) }],
    notSearched: gone ? [{ by: "list", ...say.notSearched({ code: "rowFilters", params: {} }) }] : [],
    verdict: null,
  };
}
