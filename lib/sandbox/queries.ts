import "server-only";
import type { Scope } from "@/lib/db/scope";
import { notFound } from "@/lib/http/errors";
import type { Sql } from "@/lib/idempotency";
import type { Credentials, LedgerEntry, LedgerFilter } from "./schema";
import { sandboxApi } from "./service/api";

/** The provider's ledger of the tenants in scope, newest first. */
export async function readLedger(
  scope: Scope,
  { tenantId, customer }: LedgerFilter,
): Promise<{ items: LedgerEntry[] }> {
  const items = await sandboxSql().query<LedgerEntry>`
    SELECT id, tenant_id AS "tenantId", customer, amount::float8 AS amount, currency, status,
           encode(sha256(convert_to(downstream_key, 'UTF8')), 'hex') AS "downstreamKeyHash",
           idemdesk.utc(at) AS at
    FROM sandbox.provider_charge
    WHERE (${tenantsIn(scope)}::uuid[] IS NULL OR tenant_id = ANY (${tenantsIn(scope)}::uuid[]))
      AND (${tenantId ?? null}::uuid IS NULL OR tenant_id = ${tenantId ?? null}::uuid)
      AND (${customer ?? null}::text IS NULL OR customer = ${customer ?? null}::text)
    ORDER BY provider_charge.at DESC, id`;
  return { items };
}

/** API keys of the sandbox's tenants in scope, the largest tenant first. */
export function readCredentials(scope: Scope): Promise<Credentials> {
  return sandboxSql().query<Credentials[number]>`
    SELECT id AS "tenantId", name, api_key AS "apiKey"
    FROM sandbox.tenant
    WHERE (${tenantsIn(scope)}::uuid[] IS NULL OR id = ANY (${tenantsIn(scope)}::uuid[]))
    ORDER BY share DESC, id`;
}

/** Throws `not_found` outside the embedded default. */
function sandboxSql(): Sql {
  const api = sandboxApi();
  if (!api) throw notFound();
  return api.service.db;
}

/** Null for all. */
function tenantsIn({ tenants }: Scope): string[] | null {
  return tenants === "*" ? null : [...tenants];
}
