import type { Sql } from "../sql";
import { Fragment } from "./fragments";
import { type KeyRecord, keyColumns, lapsed, now, toClaim, toKeyRow, windowEnd } from "./key-row";
import type { Claim, CompletedFrom, Opening, Operation, Reading, StoredResponse, Windows, Won } from "./rows";
import type { Layout } from "./store";
import type { Tables } from "./tables";

/**
 * Partitions by day of `created_at`. Their unique constraint must contain that column and so accepts a key on both
 * sides of midnight; the guard, one unpartitioned row per key, decides instead, and only its winner writes a key row.
 */
export function dailyLayout({ keys, guard, sql }: Tables): Layout {
  async function claim(tx: Sql, operation: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Won | null> {
    const opening = await claimOrRead(tx, operation, fingerprint, windows);
    return opening.kind === "won" ? opening : null;
  }

  // The read keeps replays from burning ids; only the guard decides. A takeover shows both rows, the new one first.
  async function claimOrRead(db: Sql, op: Operation, fingerprint: Uint8Array, windows: Windows): Promise<Opening> {
    const [record] = await sql(db)<GuardedRecord & { won: boolean; reused: boolean }>`
      WITH held AS MATERIALIZED (
        SELECT ${keyColumns}, ${lapsed} AS lapsed, ${free} AS free,
               false AS won, false AS reused
        FROM ${guard} AS g
        LEFT JOIN ${keys} AS k ON k.tenant_id = g.tenant_id AND k.endpoint = g.endpoint
          AND k.idem_key = g.idem_key AND k.created_at = g.key_created_at
        WHERE g.tenant_id = ${op.tenant}::uuid AND g.endpoint = ${op.endpoint} AND g.idem_key = ${op.key}
      ), guarded AS (
        INSERT INTO ${guard} AS g (tenant_id, endpoint, idem_key, key_created_at, free_at)
        SELECT ${op.tenant}::uuid, ${op.endpoint}, ${op.key}, clock_timestamp(), NULL
        WHERE NOT EXISTS (SELECT FROM held WHERE NOT held.free)
        ON CONFLICT (tenant_id, endpoint, idem_key)
          DO UPDATE SET key_created_at = excluded.key_created_at, free_at = NULL
          WHERE g.free_at <= clock_timestamp()
        RETURNING g.tenant_id, g.endpoint, g.idem_key, g.key_created_at AS t, (xmax <> 0) AS reused
      ), made AS (
        INSERT INTO ${keys} AS k
          (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, created_at, expires_at)
        SELECT tenant_id, endpoint, idem_key, ${fingerprint}::bytea, 'in_progress',
               t + ${windows.leaseMs}::float8 * interval '1 millisecond', t,
               t + ${windows.ttlMs}::float8 * interval '1 millisecond'
        FROM guarded
        RETURNING ${keyColumns}, false AS lapsed, false AS free, true AS won
      )
      SELECT *, ${now} AS at
      FROM (SELECT * FROM held UNION ALL SELECT made.*, guarded.reused FROM made, guarded) AS k
      ORDER BY won DESC LIMIT 1`;
    if (record?.won && isPresent(record)) return { kind: "won", claim: toClaim(op, record), reused: record.reused };
    return toReading(record);
  }

  // One statement, so that guard and key are seen in one snapshot and a concurrent release is never half seen.
  async function read(db: Sql, op: Operation): Promise<Reading> {
    const [record] = await sql(db)<GuardedRecord>`
      SELECT ${keyColumns}, ${lapsed} AS lapsed, ${free} AS free, ${now} AS at
      FROM ${guard} AS g
      LEFT JOIN ${keys} AS k ON k.tenant_id = g.tenant_id AND k.endpoint = g.endpoint
        AND k.idem_key = g.idem_key AND k.created_at = g.key_created_at
      WHERE g.tenant_id = ${op.tenant}::uuid AND g.endpoint = ${op.endpoint} AND g.idem_key = ${op.key}`;
    return toReading(record);
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

  return { claim, claimOrRead, read, complete, release, lock };
}

const free = new Fragment("coalesce(g.free_at <= clock_timestamp(), false)");

/** A guard row with its key row; the key's columns are null where it cannot be seen. */
type GuardedRecord = { [Column in keyof KeyRecord]: KeyRecord[Column] | null } & {
  lapsed: boolean | null;
  free: boolean;
  at: string;
};

function toReading(record: GuardedRecord | undefined): Reading {
  if (!record || record.free) return { kind: "free" };
  if (!isPresent(record) || record.lapsed) return { kind: "inconsistent", at: record.at };
  return { kind: "held", row: toKeyRow(record), at: record.at };
}

function isPresent(record: { id: string | null }): record is KeyRecord {
  return record.id !== null;
}
