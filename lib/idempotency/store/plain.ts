import type { Sql } from "../sql";
import { type KeyRecord, keyColumns, lapsed, now, toClaim, toKeyRow, windowEnd } from "./key-row";
import type { Claim, CompletedFrom, Opening, Operation, Reading, StoredResponse, Windows, Won } from "./rows";
import type { Layout } from "./store";
import type { Tables } from "./tables";

/** The layout whose unique constraint decides: one table, or hash partitions by tenant. */
export function plainLayout({ keys, sql }: Tables): Layout {
  async function claim(tx: Sql, operation: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Won | null> {
    const first = await claimOrRead(tx, operation, fingerprint, windows);
    if (first.kind === "won") return first;
    if (!(await removeLapsed(tx, operation))) return null;
    const again = await claimOrRead(tx, operation, fingerprint, windows);
    return again.kind === "won" ? { ...again, reused: true } : null;
  }

  // The read keeps replays from burning ids; only the insert decides, and where it lost no row comes back.
  async function claimOrRead(db: Sql, op: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Opening> {
    const [record] = await sql(db)<KeyRecord & { won: boolean; lapsed: boolean; at: string }>`
      WITH c AS MATERIALIZED (SELECT clock_timestamp() AS t), held AS MATERIALIZED (
        SELECT ${keyColumns}, ${lapsed} AS lapsed, false AS won
        FROM ${keys} AS k
        WHERE k.tenant_id = ${op.tenant}::uuid AND k.endpoint = ${op.endpoint} AND k.idem_key = ${op.key}
      ), made AS (
        INSERT INTO ${keys} AS k
          (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, created_at, expires_at)
        SELECT ${op.tenant}::uuid, ${op.endpoint}, ${op.key}, ${fingerprint}::bytea, 'in_progress',
               t + ${windows.leaseMs}::float8 * interval '1 millisecond', t,
               t + ${windows.ttlMs}::float8 * interval '1 millisecond'
        FROM c WHERE NOT EXISTS (SELECT FROM held)
        ON CONFLICT (tenant_id, endpoint, idem_key) DO NOTHING
        RETURNING ${keyColumns}, false AS lapsed, true AS won
      )
      SELECT *, ${now} AS at FROM (SELECT * FROM held UNION ALL SELECT * FROM made) AS k`;
    if (!record || record.lapsed) return { kind: "free" };
    if (record.won) return { kind: "won", claim: toClaim(op, record), reused: false };
    return { kind: "held", row: toKeyRow(record), at: record.at };
  }

  async function removeLapsed(tx: Sql, op: Operation): Promise<boolean> {
    const removed = await sql(tx)`
      DELETE FROM ${keys} AS k
      WHERE k.tenant_id = ${op.tenant}::uuid AND k.endpoint = ${op.endpoint} AND k.idem_key = ${op.key} AND ${lapsed}
      RETURNING k.id`;
    return removed.length > 0;
  }

  async function read(db: Sql, op: Operation): Promise<Reading> {
    const [record] = await sql(db)<KeyRecord & { lapsed: boolean; at: string }>`
      SELECT ${keyColumns}, ${lapsed} AS lapsed, ${now} AS at
      FROM ${keys} AS k
      WHERE k.tenant_id = ${op.tenant}::uuid AND k.endpoint = ${op.endpoint} AND k.idem_key = ${op.key}`;
    if (!record || record.lapsed) return { kind: "free" };
    return { kind: "held", row: toKeyRow(record), at: record.at };
  }

  async function complete(tx: Sql, claim: Claim, response: StoredResponse, from: CompletedFrom) {
    const [row] = await sql(tx)<{ at: string }>`
      UPDATE ${keys} AS k
      SET state = 'completed', response_status = ${response.status}::int, response_body = ${response.body}::bytea,
          response_headers = ${JSON.stringify(response.headers)}::jsonb,
          expires_at = ${windowEnd}
      WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
        AND k.state = ${from} AND k.locked_until = ${claim.lockedUntil}::timestamptz
      RETURNING ${now} AS at`;
    return row?.at ?? null;
  }

  async function release(tx: Sql, claim: Claim) {
    const [row] = await sql(tx)<{ at: string }>`
      DELETE FROM ${keys} AS k
      WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
        AND k.state = 'in_progress' AND k.locked_until = ${claim.lockedUntil}::timestamptz
      RETURNING ${now} AS at`;
    return row?.at ?? null;
  }

  return { claim, claimOrRead, read, complete, release, lock: async () => undefined };
}
