declare const minted: unique symbol;

/** The tenants one caller may see and the principal it acts as. Only `lib/access/gate.ts` mints one; without one no query compiles. */
export interface Scope {
  readonly tenants: "*" | readonly string[];
  readonly principalId: string;
  readonly [minted]: true;
}

/** Mints a scope. Called by the gate alone (lint forbids it elsewhere), after the right was checked. */
export function mintScope(tenants: "*" | readonly string[], principalId: string): Scope {
  return { tenants, principalId } as Scope;
}

/** The same caller, one tenant only; null where the tenant is outside the scope. */
export function narrowScope(scope: Scope, tenantId: string): Scope | null {
  const tenant = tenantId.toLowerCase();
  return scope.tenants === "*" || scope.tenants.includes(tenant) ? mintScope([tenant], scope.principalId) : null;
}

/** How `idemdesk.scope()` spells the scope. An empty list is spelled so that it yields no rows. */
export function scopeSetting(scope: Scope): string {
  return scope.tenants === "*" ? "*" : scope.tenants.join(",");
}
