/** What the connected role could do beyond its tenants. */
export interface RoleFacts {
  superuser: boolean;
  bypasses: boolean;
  owns: boolean;
}

/**
 * Columns of `RoleFacts`, to be selected from `roleSource`. PostgreSQL takes whoever is a member of a table's owner for
 * the owner itself, whom row-level security does not bind.
 */
export const roleColumns = `
  r.rolsuper AS superuser,
  r.rolbypassrls AS bypasses,
  coalesce(pg_has_role(r.oid, n.nspowner, 'MEMBER'), false)
    OR EXISTS (SELECT FROM pg_class AS c WHERE c.relnamespace = n.oid AND pg_has_role(r.oid, c.relowner, 'MEMBER'))
    AS owns`;

/** The connected role `r`, and the desk's schema `n` where it is there. */
export const roleSource = `
  pg_roles AS r
  LEFT JOIN pg_namespace AS n ON n.nspname = 'idemdesk'
  WHERE r.rolname = current_user`;

/** Why row-level security would not bind a web process connected like this; null where it does. */
export function unfitReason({ superuser, bypasses, owns }: RoleFacts): string | null {
  if (superuser) return "is a superuser";
  if (bypasses) return "has BYPASSRLS";
  if (owns) return "owns tables of schema idemdesk";
  return null;
}
