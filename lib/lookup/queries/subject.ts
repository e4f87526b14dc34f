import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import { notFound } from "@/lib/http/errors";
import type { KeyRow } from "../rules/model";
import { findHitsByHash, type Hit } from "./hits";
import { keyColumns, parseKeyRow } from "./key-rows";
import type { Subject } from "./picture";
import { rowsOfHits } from "./rows-of-hits";

/** How a page or an API call names one operation of a tenant. */
export type Address =
  | { tenantId: string; id: string }
  | { tenantId: string; keyHash: string; endpoint?: string | undefined };

/** One of the operations that share an address; `hit` is null where no event was asked for. */
export interface Addressed {
  subject: Subject;
  /** The same key hash elsewhere: other endpoints, older rows. */
  others: { row: KeyRow | null; hit: Hit }[];
}

/** The operation an address names. Throws `not_found` where there is none in the scope. */
export async function findSubject(tx: Transaction, address: Address): Promise<Addressed> {
  if ("id" in address) {
    const row = await readRow(tx, address.tenantId, address.id);
    if (!row) throw notFound();
    return { subject: { ...row, row }, others: [] };
  }
  return findByHash(tx, address);
}

/** One row by its id; null where it is gone, or another tenant's. */
export async function readRow(tx: Transaction, tenantId: string, id: string): Promise<KeyRow | null> {
  const [row] = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${keyColumns}
    FROM idemdesk.key AS k
    WHERE k.id = ${id}::bigint AND k.tenant_id = ${tenantId}::uuid
    LIMIT 1`);
  return row ? parseKeyRow(row) : null;
}

/** The newest operation under a hash, also when its row is gone, and the others beside it. */
async function findByHash(
  tx: Transaction,
  { tenantId, keyHash, endpoint }: { tenantId: string; keyHash: string; endpoint?: string | undefined },
): Promise<Addressed> {
  const all = await findHitsByHash(tx, "keyHash", keyHash, "infinity");
  const hits = all.filter((hit) => hit.tenantId === tenantId);
  const rows = await rowsOfHits(tx, hits);
  const found = hits.flatMap((hit): Addressed["others"] => {
    const own = rows
      .filter((row) => row.endpoint === hit.endpoint)
      .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
    return own.length > 0 ? own.map((row) => ({ row, hit })) : [{ row: null, hit }];
  });
  const chosen = found.find(({ hit }) => endpoint === undefined || hit.endpoint === endpoint);
  if (!chosen) throw notFound();
  const { tenantId: tenant, endpoint: own, keyHash: hash } = chosen.hit;
  const subject = { tenantId: tenant, endpoint: own, keyHash: hash, row: chosen.row };
  return { subject, others: found.filter((other) => other !== chosen) };
}
