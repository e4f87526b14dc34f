import { knownStates, Phase, type SearchRequest, statusClasses } from "@/lib/lookup/schema";

/** What the address of the keys page may say. A cursor never stands in it, and a raw key never may. */
export type ListRequest = Omit<SearchRequest, "cursor" | "key" | "text" | "limit">;

/** Identifiers that may stand in an address, each shown as a chip. */
export const identifiers = [
  "keyHash",
  "keyHashPrefix",
  "fingerprint",
  "requestId",
  "traceId",
  "providerReference",
  "reference",
] as const;

export const choices = { states: knownStates, phases: Phase.options, statusClasses };

/** Reads the page's address. A value that is none of its choices is left out rather than sent to be refused. */
export function readListQuery(query: URLSearchParams): ListRequest {
  const text = (name: string) => query.get(name) ?? undefined;
  const states = query.getAll("state");
  const amount = Number(text("amount"));
  const entries = {
    tenantId: text("tenant"),
    endpoint: text("endpoint"),
    states: states.length > 0 ? states : undefined,
    phase: choices.phases.find((phase) => phase === text("phase")),
    statusClass: statusClasses.find((statusClass) => statusClass === text("status")),
    from: moment(text("from")),
    to: moment(text("to")),
    amount: text("amount") && Number.isSafeInteger(amount) ? amount : undefined,
    currency: text("currency"),
    ...Object.fromEntries(identifiers.map((name) => [name, text(name)])),
    sort: text("sort") === "createdAt" ? ("createdAt" as const) : undefined,
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Whether anything but the tenant narrows the list. */
export function isNarrowed(request: ListRequest): boolean {
  return Object.keys(request).some((name) => name !== "tenantId" && name !== "sort");
}

function moment(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
