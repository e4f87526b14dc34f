import { AuditAction } from "@/lib/audit/rules";

/** The names of a filter in the page's address, and those of GET /audit they stand for. */
const names = {
  tenant: "tenantId",
  chain: "chain",
  actor: "actorId",
  action: "action",
  targetType: "targetType",
  target: "targetId",
  from: "from",
  to: "to",
} as const;

/** The filter an address says. What GET /audit would refuse is left out. */
export function readLedgerQuery(query: URLSearchParams): Record<string, string> {
  const given = Object.entries(names).flatMap(([name, field]) => {
    const value = query.get(name);
    return value ? [[field, value] as const] : [];
  });
  return Object.fromEntries(given.filter(([field, value]) => field !== "action" || isAction(value)));
}

/** `chain/seq` of the entry that is open; null where none is, or the address is damaged. */
export function readOpenEntry(query: URLSearchParams): { chain: string; seq: string } | null {
  const match = /^([a-z0-9:-]+)\/(\d+)$/i.exec(query.get("entry") ?? "");
  return match?.[1] && match[2] ? { chain: match[1], seq: match[2] } : null;
}

function isAction(value: string): boolean {
  return AuditAction.safeParse(value).success;
}
