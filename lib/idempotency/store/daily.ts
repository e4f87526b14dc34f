import type { Sql } from "../sql";
import { iso } from "./fragments";
import { type KeyRecord, keyColumns, lapsed, now, toKeyRow, windowEnd } from "./key-row";
import type { Claim, CompletedFrom, Operation, Reading, StoredResponse, Windows, Won } from "./rows";
import type { Layout } from "./store";
import type { Tables } from "./tables";

/**
 * Partitions by day of `created_at`. Their unique constraint must contain that column and so accepts a key on both
 * sides of midnight; the guard, one unpartitioned row per key, decides instead, and only its winner writes a key row.
 */
export function dailyLayout({ keys, guard, sql }: Tables): Layout {
  async function claim(tx: Sql, op: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Won | null> {
    const [row] = await sql(tx)<{ id: string; created_at: string; locked_until: string; reused: boolean }>`
      WITH won AS (
        INSERT INTO ${guard} AS g (tenant_id, endpoint, idem_key, key_created_at, free_at)
        VALUES (${op.tenant}::uuid, ${op.endpoint}, ${op.key}, clock_timestamp(), NULL)
        ON CONFLICT (tenant_id, endpoint, idem_key)
          DO UPDATE SET key_created_at = excluded.key_created_at, free_at = NULL
          WHERE g.free_at <= clock_timestamp()
        RETURNING g.tenant_id, g.endpoint, g.idem_key, g.key_created_at AS t, (xmax <> 0) AS reused
      ), claimed AS (
        INSERT INTO ${keys} AS k
          (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, created_at, expires_at)
        SELECT tenant_id, endpoint, idem_key, ${fingerprint}::bytea, 'in_progress',
               t + ${windows.leaseMs}::float8 * interval '1 millisecond', t,
               t + ${windows.ttlMs}::float8 * interval '1 millisecond'
        FROM won
        RETURNING k.id, k.created_at, k.locked_until
      )
      SELECT k.id::text AS id, ${iso("k.created_at")} AS created_at, ${iso("k.locked_until")} AS locked_until,
             won.reused
      FROM claimed AS k, won`;
    if (!row) return null;
    const claimed = { ...op, id: row.id, createdAt: row.created_at, lockedUntil: row.locked_until };
    return { claim: claimed, reused: row.reused };
  }

  // One statement, so that guard and key are seen in one snapshot and a concurrent release is never half seen.
  async function read(db: Sql, op: Operation): Promise<Reading> {
    const [record] = await sql(db)<{ [Column in keyof KeyRecord]: KeyRecord[Column] | null } & Seen>`
      SELECT ${keyColumns}, ${lapsed} AS lapsed, coalesce(g.free_at <= clock_timestamp(), false) AS free, ${now} AS at
      FROM ${guard} AS g
      LEFT JOIN ${keys} AS k ON k.tenant_id = g.tenant_id AND k.endpoint = g.endpoint
        AND k.idem_key = g.idem_key AND k.created_at = g.key_created_at
      WHERE g.tenant_id = ${op.tenant}::uuid AND g.endpoint = ${op.endpoint} AND g.idem_key = ${op.key}`;
    if (!record || record.free) return { kind: "free" };
    if (!isPresent(record) || record.lapsed) return { kind: "inconsistent", at: record.at };
    return { kind: "held", row: toKeyRow(record), at: record.at };
  }

  async function complete(tx: Sql, claim: Claim, response: StoredResponse, from: CompletedFrom) {
    const [row] = await sql(tx)<{ at: string }>`
      WITH held AS MATERIALIZED (
        SELECT g.key_created_at FROM ${guard} AS g
        WHERE g.tenant_id = ${claim.tenant}::uuid AND g.endpoint = ${claim.endpoint} AND g.idem_key = ${claim.key}
          AND g.key_created_at = ${claim.createdAt}::timestamptz
        FOR UPDATE
      ), done AS (
        UPDATE ${keys} AS k
        SET state = 'completed', response_status = ${response.status}::int, response_body = ${response.body}::bytea,
            response_headers = ${JSON.stringify(response.headers)}::jsonb,
            expires_at = ${windowEnd}
        FROM held
        WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
          AND k.state = ${from} AND k.locked_until = ${claim.lockedUntil}::timestamptz
        RETURNING k.expires_at
      )
      UPDATE ${guard} AS g SET free_at = done.expires_at
      FROM done
      WHERE g.tenant_id = ${claim.tenant}::uuid AND g.endpoint = ${claim.endpoint} AND g.idem_key = ${claim.key}
      RETURNING ${now} AS at`;
    return row?.at ?? null;
  }

  async function release(tx: Sql, claim: Claim) {
    const [row] = await sql(tx)<{ at: string }>`
      WITH held AS MATERIALIZED (
        SELECT g.key_created_at FROM ${guard} AS g
        WHERE g.tenant_id = ${claim.tenant}::uuid AND g.endpoint = ${claim.endpoint} AND g.idem_key = ${claim.key}
          AND g.key_created_at = ${claim.createdAt}::timestamptz
        FOR UPDATE
      ), gone AS (
        DELETE FROM ${keys} AS k USING held
        WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
          AND k.state = 'in_progress' AND k.locked_until = ${claim.lockedUntil}::timestamptz
        RETURNING k.id
      )
      DELETE FROM ${guard} AS g USING gone
      WHERE g.tenant_id = ${claim.tenant}::uuid AND g.endpoint = ${claim.endpoint} AND g.idem_key = ${claim.key}
      RETURNING ${now} AS at`;
    return row?.at ?? null;
  }

  async function lock(tx: Sql, op: Operation): Promise<void> {
    await sql(tx)`
      SELECT 1 FROM ${guard} AS g
      WHERE g.tenant_id = ${op.tenant}::uuid AND g.endpoint = ${op.endpoint} AND g.idem_key = ${op.key}
      FOR UPDATE`;
  }

  return { claim, read, complete, release, lock };
}

interface Seen {
  lapsed: boolean | null;
  free: boolean;
  at: string;
}

function isPresent(record: { id: string | null }): record is KeyRecord {
  return record.id !== null;
}
