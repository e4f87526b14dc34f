import { z } from "zod";
import { trimmed, withoutNul } from "@/lib/http/shapes";

const Name = trimmed(80);
/** The query string of the page, without its question mark. */
const Query = z
  .string()
  .max(2_000)
  .regex(/^[^?#\s]*$/, "must be a query string")
  .transform(withoutNul);

export const ViewPage = z.enum(["keys", "audit"]);

/** A page's filter under a name. A shared one is seen by whoever may see the tenants it can speak of. */
export const View = z.object({
  id: z.string(),
  page: ViewPage,
  name: z.string(),
  query: z.string(),
  shared: z.boolean(),
  /** Whether the reader may change it. */
  own: z.boolean(),
});
export type View = z.infer<typeof View>;

export const NewView = z.strictObject({ page: ViewPage, name: Name, query: Query, shared: z.boolean().default(false) });
export type NewView = z.output<typeof NewView>;

export const ViewChange = z
  .strictObject({ name: Name.optional(), query: Query.optional(), shared: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, "must change something");
export type ViewChange = z.output<typeof ViewChange>;
