import { type Grant, type Principal, Right, type Role } from "./schema";

const desk: readonly Role[] = ["support", "oncall", "finance", "auditor", "admin"];

/** Who may do what: the table of the access rules, and the only place that answers it. */
export const rolesWith: Record<Right, readonly Role[]> = {
  "desk.use": desk,
  "keys.read": desk,
  "keys.note": ["support", "oncall", "finance", "admin"],
  "keys.reveal": ["support", "oncall", "finance", "admin"],
  "keys.reveal_unmasked": ["oncall", "finance", "admin"],
  "cases.read": desk,
  "cases.open_repeated": ["support", "oncall", "finance"],
  "cases.work": ["oncall"],
  "cases.work_repeated": ["oncall", "finance"],
  "cases.approve": ["oncall", "finance"],
  "audit.read": ["finance", "auditor", "admin"],
  "audit.read_own": ["oncall", "finance", "auditor", "admin"],
  "reports.read": ["finance", "auditor", "admin"],
  "reports.export": ["finance", "auditor", "admin"],
  "reports.close_period": ["finance"],
  "cleanup.read": ["oncall", "finance", "auditor", "admin"],
  "cleanup.run": ["admin"],
  "settings.change": ["admin"],
  "events.write": ["ingest"],
};

/** A decision and a cleanup need a person: a service account never holds these, whatever its role. */
const personOnly: ReadonlySet<Right> = new Set(["cases.work", "cases.work_repeated", "cases.approve", "cleanup.run"]);

/** Whether the principal holds the right: over `tenantId`, or over any tenant where none is named. */
export function can(principal: Pick<Principal, "grants" | "kind">, right: Right, tenantId?: string): boolean {
  const held = tenantsWith(principal, right);
  if (held === "*") return true;
  return tenantId === undefined ? held.length > 0 : held.includes(tenantId.toLowerCase());
}

/** The tenants the principal holds the right over: `*` for all, an empty list for none. */
export function tenantsWith(principal: Pick<Principal, "grants" | "kind">, right: Right): "*" | string[] {
  if (principal.kind === "service" && personOnly.has(right)) return [];
  return tenantsOf(principal.grants.filter(({ role }) => rolesWith[right].includes(role)));
}

/** Every tenant the principal holds anything over. */
export function tenantsInReach(principal: Pick<Principal, "grants">): "*" | string[] {
  return tenantsOf(principal.grants);
}

/** Rights held over at least one tenant, in the table's order. */
export function rightsOf(principal: Pick<Principal, "grants" | "kind">): Right[] {
  return Right.options.filter((right) => can(principal, right));
}

function tenantsOf(grants: readonly Grant[]): "*" | string[] {
  const ids = new Set<string>();
  for (const { tenantId } of grants) {
    if (tenantId === null) return "*";
    ids.add(tenantId);
  }
  return [...ids];
}
