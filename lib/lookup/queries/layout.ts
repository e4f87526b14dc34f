import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { KeyDetail } from "../schema";

const Base = z.object({ kind: z.string(), strategy: z.string().nullable(), column: z.string().nullable() });

/** How their table is laid out, read from the table under the view, whatever its name is. */
export async function readLayout(tx: Transaction): Promise<KeyDetail["layout"]> {
  const [base] = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT c.relkind::text AS "kind", p.partstrat::text AS "strategy", a.attname::text AS "column"
    FROM pg_rewrite AS r
    JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class AS c ON c.oid = d.refobjid AND c.oid <> r.ev_class AND c.relkind IN ('r', 'p', 'f')
    LEFT JOIN pg_partitioned_table AS p ON p.partrelid = c.oid
    LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE r.ev_class = 'idemdesk.key'::regclass
    LIMIT 1`);
  const { kind, strategy, column } = Base.parse(base);
  if (kind === "r") return "plain";
  if (strategy === "r" && column === "created_at") return "daily";
  return strategy === "h" && column === "tenant_id" ? "hash" : "other";
}
