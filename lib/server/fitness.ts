/** What the connected role could do beyond its tenants. */
export interface RoleFacts {
  superuser: boolean;
  bypasses: boolean;
  owns: boolean;
}

/** Why row-level security would not bind a web process connected like this; null where it does. */
export function unfitReason({ superuser, bypasses, owns }: RoleFacts): string | null {
  if (superuser) return "is a superuser";
  if (bypasses) return "has BYPASSRLS";
  if (owns) return "owns tables of schema idemdesk";
  return null;
}
