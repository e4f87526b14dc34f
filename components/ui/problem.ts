/** What the desk can explain about a failed call; anything else is told as `other` with its request id. */
const explained = [
  "not_found",
  "forbidden",
  "not_signed_in",
  "database_unavailable",
  "query_timeout",
  "rate_limited",
  "validation_failed",
] as const;

export interface ShownProblem {
  kind: (typeof explained)[number] | "network" | "other";
  detail: string | null;
  requestId: string | null;
}

/** Reads an error of the API client, or of the network below it. */
export function shownProblem(error: Error): ShownProblem {
  const code = textOf(error, "code");
  const kind = code === "unreachable" ? "network" : (explained.find((known) => known === code) ?? "other");
  return { kind, detail: code === null ? null : error.message, requestId: textOf(error, "requestId") };
}

function textOf(error: Error, name: string): string | null {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : null;
}
