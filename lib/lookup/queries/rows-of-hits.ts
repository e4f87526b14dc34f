import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { KeyRow } from "../rules/model";
import { shift } from "../rules/times";
import type { Hit } from "./hits";
import { keyColumns, parseKeyRows } from "./key-rows";

/** How far a claim's time may be from its row's: senders' clocks, and time between the two statements, in ms. */
const NEAR_MS = 2_000;

/** Where to look for rows of one operation: around each of its claims. */
interface Place {
  tenantId: string;
  endpoint: string;
  keyHash: string;
  low: string;
  high: string;
}

/**
 * The rows of operations that events lead to: events give endpoint and time, so that no index on the key's hash is
 * needed. A row whose claim no event tells of is not found this way.
 */
export async function rowsOfHits(
  tx: Transaction,
  hits: readonly Pick<Hit, "tenantId" | "endpoint" | "keyHash" | "claims">[],
): Promise<KeyRow[]> {
  const places = hits.flatMap(placesOf);
  if (places.length === 0) return [];
  const column = (name: keyof Place) => places.map((place) => place[name]);
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${keyColumns}
    FROM unnest(${column("tenantId")}::uuid[], ${column("endpoint")}::text[], ${column("keyHash")}::text[],
                ${column("low")}::timestamptz[], ${column("high")}::timestamptz[])
         AS place (tenant_id, endpoint, key_hash, low, high)
    CROSS JOIN LATERAL (
      SELECT k.*
      FROM idemdesk.key AS k
      WHERE k.tenant_id = place.tenant_id
        AND k.created_at >= place.low
        AND k.created_at <= place.high
        AND k.endpoint = place.endpoint
        AND sha256(convert_to(k.idem_key, 'UTF8')) = decode(place.key_hash, 'hex')
    ) AS k`);
  return distinct(parseKeyRows(rows));
}

function placesOf({ claims, ...operation }: Pick<Hit, "tenantId" | "endpoint" | "keyHash" | "claims">): Place[] {
  return claims.map((at) => ({ ...operation, low: shift(at, -NEAR_MS), high: shift(at, NEAR_MS) }));
}

/** Claims close together lead to one row more than once. */
function distinct(rows: KeyRow[]): KeyRow[] {
  return [...new Map(rows.map((row) => [`${row.id} ${row.createdAt}`, row])).values()];
}
