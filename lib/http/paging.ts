import { z } from "zod";

const DEFAULT_LIMIT = "50";

/** What every list takes beside its filter. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, "must be 1 to 100")
    .transform(Number)
    .prefault(DEFAULT_LIMIT),
  cursor: z.string().min(1).max(4_000).optional(),
};

/** What every list answers: one page, and where the next begins; null at the end. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Rows asked for with one too many, cut to the page; `last` is where the next page begins, null at the end. */
export function cutPage<Row>(rows: readonly Row[], limit: number): { items: Row[]; last: Row | null } {
  const items = rows.slice(0, limit);
  return { items, last: rows.length > limit ? (items.at(-1) ?? null) : null };
}
