import "server-only";
import { z } from "zod";
import { directPool } from "@/lib/db/direct";
import { type Principal, Role } from "./schema";

const Grants = z.array(z.object({ role: Role, tenantId: z.string().nullable() }));
const OperatorRow = z.object({ id: z.string(), name: z.string(), email: z.string(), grants: Grants });

const operatorStatement = {
  name: "principal-of-operator",
  text: `
    SELECT o.id::text, o.name, o.email,
           coalesce(
             json_agg(json_build_object('role', m.role, 'tenantId', m.tenant_id)) FILTER (WHERE m.id IS NOT NULL),
             '[]') AS grants
    FROM idemdesk.operator AS o
    LEFT JOIN idemdesk.membership AS m
      ON m.operator_id = o.id AND (m.valid_until IS NULL OR m.valid_until > clock_timestamp())
    WHERE o.id = $1 AND o.active AND o.session_version = $2
    GROUP BY o.id`,
};

/** An active operator whose session version is still this one, with the grants in force; one statement. Else null. */
export async function principalOfOperator(id: string, sessionVersion: number): Promise<Principal | null> {
  const { rows } = await directPool().query<object>({ ...operatorStatement, values: [id, sessionVersion] });
  const [row] = rows;
  return row === undefined ? null : { ...OperatorRow.parse(row), kind: "operator", tokenId: null };
}

const TokenRow = z.object({
  tokenId: z.string(),
  name: z.string(),
  operatorId: z.string().nullable(),
  email: z.string().nullable(),
  grants: Grants,
  unseen: z.boolean(),
});

const tokenStatement = {
  name: "principal-of-token",
  text: `
    SELECT t.id::text AS "tokenId", coalesce(o.name, t.name) AS name, o.id::text AS "operatorId", o.email,
           (t.last_used_at < clock_timestamp() - interval '1 minute') IS NOT FALSE AS unseen,
           CASE
             WHEN t.operator_id IS NOT NULL THEN (
               SELECT coalesce(json_agg(json_build_object('role', m.role, 'tenantId', m.tenant_id)), '[]')
               FROM idemdesk.membership AS m
               WHERE m.operator_id = t.operator_id AND (m.valid_until IS NULL OR m.valid_until > clock_timestamp()))
             WHEN t.all_tenants THEN json_build_array(json_build_object('role', t.role, 'tenantId', NULL))
             ELSE (
               SELECT coalesce(json_agg(json_build_object('role', t.role, 'tenantId', tenant)), '[]')
               FROM unnest(t.tenants) AS tenant)
           END AS grants
    FROM idemdesk.api_token AS t
    LEFT JOIN idemdesk.operator AS o ON o.id = t.operator_id
    WHERE t.token_hash = $1
      AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())
      AND (t.operator_id IS NULL OR o.active)`,
};

/** Who an unrevoked, unexpired token acts as, with the grants in force; one statement. Else null. */
export async function principalOfToken(tokenHash: Uint8Array): Promise<Principal | null> {
  const { rows } = await directPool().query<object>({ ...tokenStatement, values: [tokenHash] });
  const [row] = rows;
  if (row === undefined) return null;
  const { tokenId, name, operatorId, email, grants, unseen } = TokenRow.parse(row);
  if (unseen) await markUsed(tokenId);
  return {
    id: operatorId ?? tokenId,
    kind: operatorId === null ? "service" : "operator",
    name,
    email,
    tokenId,
    grants,
  };
}

/** Kept to the minute: a write for every request would cost more than what it is good for. */
async function markUsed(tokenId: string): Promise<void> {
  await directPool().query("UPDATE idemdesk.api_token SET last_used_at = clock_timestamp() WHERE id = $1", [tokenId]);
}
