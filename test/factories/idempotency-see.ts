import type { Pool } from "pg";
import type { Operation } from "@/lib/idempotency";
import type { Effect, Seen } from "./idempotency-rules";

export function opOf({ tenant, endpoint, key }: Operation): string {
  return `${tenant} ${endpoint} ${key}`;
}

const op = "tenant_id || ' ' || endpoint || ' ' || idem_key";
const epoch = (column: string) => `extract(epoch FROM ${column})::float8`;

/** Everything committed, in one snapshot and with the database's own time. */
const everything = `
  SELECT ${epoch("clock_timestamp()")} AS now,
    (SELECT coalesce(json_agg(r), '[]') FROM (
      SELECT id::text, ${op} AS op, state, encode(fingerprint, 'hex') AS fingerprint, response_status AS status,
             convert_from(response_body, 'UTF8') AS body, ${epoch("locked_until")} AS "lockedUntil",
             ${epoch("created_at")} AS "createdAt", ${epoch("expires_at")} AS "expiresAt"
      FROM idempotency_keys) r) AS rows,
    (SELECT coalesce(json_agg(r), '[]') FROM (
      SELECT ${op} AS op, claim_id::text AS "claimId", reference, status FROM business) r) AS business,
    (SELECT coalesce(json_agg(k.id::text), '[]') FROM idempotency_effect e
      JOIN idempotency_keys k ON k.tenant_id = e.tenant_id AND k.endpoint = e.endpoint
        AND k.idem_key = e.idem_key AND k.created_at = e.key_created_at) AS started`;

export async function see(pool: Pool, ledger: Effect[]): Promise<Seen> {
  const { rows } = await pool.query({ name: "everything", text: everything });
  const { started, ...seen } = rows[0];
  return { ...seen, started: new Set(started), ledger };
}

/** An answer in the model's words: status and, where it is a problem, its code; a replay is marked as one. */
export async function describeAnswer(response: Response): Promise<string> {
  const text = await response.text();
  const problem = response.headers.get("Content-Type") === "application/problem+json";
  const marked = response.headers.get("Idempotent-Replayed") === "true";
  return `${marked ? "replay " : ""}${response.status} ${problem ? JSON.parse(text).code : text}`;
}
