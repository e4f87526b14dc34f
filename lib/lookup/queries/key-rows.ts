import "server-only";
import { z } from "zod";
import { Prisma } from "@/lib/db/client";
import { hashKey } from "@/lib/idempotency/key-hash";
import { maskKey } from "../rules/display";
import type { KeyRow } from "../rules/model";
import { weaknessOf } from "../rules/weakness";

/** What is read of a key row `k`: never its body, whose length costs nothing to ask for. */
export const keyColumns = Prisma.sql`
  k.id::text AS "id", k.tenant_id::text AS "tenantId", k.endpoint AS "endpoint", k.idem_key AS "key",
  encode(k.fingerprint, 'hex') AS "fingerprint", k.state AS "state", k.response_status AS "responseStatus",
  octet_length(k.response_body) AS "bodyBytes", idemdesk.utc(k.locked_until) AS "lockedUntil",
  idemdesk.utc(k.created_at) AS "createdAt", idemdesk.utc(k.expires_at) AS "expiresAt"`;

const Record = z.object({
  id: z.string(),
  tenantId: z.string(),
  endpoint: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  state: z.string(),
  responseStatus: z.int().nullable(),
  bodyBytes: z.int().nullable(),
  lockedUntil: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});

/** A row as the desk holds it: the key stays here, only its hash, its mask and its weakness go on. */
export function parseKeyRow(record: unknown): KeyRow {
  const { key, ...row } = Record.parse(record);
  return { ...row, keyHash: hashKey(key), keyMasked: maskKey(key), weakness: weaknessOf(key, row.createdAt) };
}

export function parseKeyRows(records: readonly unknown[]): KeyRow[] {
  return records.map(parseKeyRow);
}
