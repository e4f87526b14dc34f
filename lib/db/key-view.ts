/** Where the existing table is and how it spells its columns. The default is the contract library's own spelling. */
export interface KeyMapping {
  schema: string;
  table: string;
}

export const defaultMapping: KeyMapping = { schema: "public", table: "idempotency_keys" };

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * SQL that (re)creates `idemdesk.key`, the only way the web role reaches their table.
 *
 * Plain, not a security barrier: a barrier hides index order and makes a page of a list read a partition. The scope is
 * a sub-select, evaluated once; the check option stops a row being moved to another tenant.
 */
export function keyViewSql(mapping: KeyMapping = defaultMapping): string {
  const source = `${quoted(mapping.schema)}.${quoted(mapping.table)}`;
  return `
DROP VIEW IF EXISTS idemdesk.key;
CREATE VIEW idemdesk.key AS
SELECT id, tenant_id, endpoint, idem_key, fingerprint, state, response_status, response_body, response_headers,
       locked_until, created_at, expires_at
FROM ${source}
WHERE tenant_id = ANY ((SELECT idemdesk.scope())::uuid[])
WITH CASCADED CHECK OPTION;
ALTER VIEW idemdesk.key OWNER TO idemdesk_owner;
GRANT SELECT ON idemdesk.key TO idemdesk_web;
`;
}
