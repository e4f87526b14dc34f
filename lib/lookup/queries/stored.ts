import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { KeyRow } from "../rules/model";

type Named = Pick<KeyRow, "tenantId" | "id" | "createdAt">;

/** Stored headers as the row has them: null, an object, or pairs. The time leads to one partition. */
export async function readStoredHeaders(tx: Transaction, { tenantId, id, createdAt }: Named): Promise<unknown> {
  const [stored] = await tx.$queryRaw<{ headers: unknown }[]>(Prisma.sql`
    SELECT k.response_headers AS "headers"
    FROM idemdesk.key AS k
    WHERE k.id = ${id}::bigint AND k.tenant_id = ${tenantId}::uuid AND k.created_at = ${createdAt}::timestamptz`);
  return stored?.headers ?? null;
}

const Secrets = z.object({
  key: z.string(),
  headers: z.unknown(),
  body: z.instanceof(Uint8Array).nullable(),
  bytes: z.int(),
});

/** What only a reveal reads. */
export type Secrets = z.infer<typeof Secrets>;

/** The key, the headers and the body of one row. A body longer than `limit` bytes stays in the database. */
export async function readSecrets(
  tx: Transaction,
  { tenantId, id, createdAt }: Named,
  limit: number,
): Promise<Secrets> {
  const [stored] = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT k.idem_key AS "key", k.response_headers AS "headers",
           coalesce(octet_length(k.response_body), 0) AS "bytes",
           CASE WHEN octet_length(k.response_body) <= ${limit}::int THEN k.response_body END AS "body"
    FROM idemdesk.key AS k
    WHERE k.id = ${id}::bigint AND k.tenant_id = ${tenantId}::uuid AND k.created_at = ${createdAt}::timestamptz`);
  return Secrets.parse(stored);
}
