import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";

/** SHA-256 of the key's UTF-8 bytes, made here so that tests do not trust the code they test. */
export const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");

export interface NewKey {
  tenantId: string;
  key?: string;
  id?: string;
  endpoint?: string;
  state?: string;
  status?: number | null;
  body?: Buffer | null;
  headers?: unknown;
  /** Minutes ago by the database clock. */
  minutesAgo?: number;
  createdAt?: string;
  /** Null: no lease at all. */
  leaseSeconds?: number | null;
  ttlHours?: number;
  fingerprint?: string;
}

/** Puts one row into the keys table, as a payment service would have left it; answers its id and times. */
export async function insertKey(pool: Pool, given: NewKey): Promise<{ id: string; key: string; createdAt: string }> {
  const { tenantId, key = randomUUID(), endpoint = "POST /v1/payments", state = "completed", minutesAgo = 10 } = given;
  const { rows } = await pool.query(
    `INSERT INTO public.idempotency_keys (
       id, tenant_id, endpoint, idem_key, fingerprint, state, response_status, response_body, response_headers,
       locked_until, created_at, expires_at)
     SELECT coalesce($1::bigint, nextval('public.idempotency_keys_id_seq')), $2, $3, $4, decode($5, 'hex'), $6, $7, $8, $9,
            at + $10::float8 * interval '1 second', at, at + $11::float8 * interval '1 hour'
     FROM (SELECT coalesce($12::timestamptz, clock_timestamp() - $13::float8 * interval '1 minute') AS at) AS born
     RETURNING id::text, idem_key AS key, idemdesk.utc(created_at) AS "createdAt"`,
    [
      given.id ?? null,
      tenantId,
      endpoint,
      key,
      given.fingerprint ?? hashOf(`request ${key}`),
      state,
      given.status === undefined ? (state === "completed" ? 201 : null) : given.status,
      given.body ?? null,
      given.headers === undefined ? null : JSON.stringify(given.headers),
      given.leaseSeconds === undefined ? 5 : given.leaseSeconds,
      given.ttlHours ?? 24,
      given.createdAt ?? null,
      minutesAgo,
    ],
  );
  return rows[0];
}

export interface NewEvent {
  tenantId: string;
  kind: string;
  at: string;
  key?: string | null;
  endpoint?: string;
  [member: string]: unknown;
}

/** Emits events as a service would, through the one function its role may call. */
export async function emitEvents(pool: Pool, events: readonly NewEvent[]): Promise<void> {
  const items = events.map(({ at, key, ...event }) => ({
    eventId: randomUUID(),
    endpoint: "POST /v1/payments",
    keyHash: key == null ? null : hashOf(key),
    occurredAt: at,
    ...event,
  }));
  await pool.query("SELECT idemdesk.emit($1::jsonb)", [JSON.stringify(items)]);
}

/** A row with the claim and the completion that made it. `facts` go on both events. */
export async function insertOperation(pool: Pool, given: NewKey, facts: Record<string, unknown> = {}) {
  const row = await insertKey(pool, given);
  const { tenantId, endpoint = "POST /v1/payments" } = given;
  const fingerprint = given.fingerprint ?? hashOf(`request ${row.key}`);
  const shared = { tenantId, endpoint, key: row.key, fingerprint, requestId: randomUUID(), ...facts };
  await emitEvents(pool, [
    { ...shared, kind: "claimed", at: row.createdAt, state: "in_progress" },
    {
      ...shared,
      kind: "completed",
      at: later(row.createdAt, 200),
      state: "completed",
      responseStatus: 201,
      durationMs: 200,
    },
  ]);
  return { ...row, ...shared, keyHash: hashOf(row.key) };
}

/** A time some ms after another, its microseconds kept. */
export function later(at: string, ms: number): string {
  const micros = at.slice(23, 26);
  return new Date(Date.parse(at) + ms).toISOString().replace("Z", `${micros}Z`);
}
