/** An address's query with some of its parts changed; an empty or null value leaves the part out. */
export function changeQuery(
  query: URLSearchParams,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of value === null ? [] : [value].flat()) if (one !== "") next.append(name, one);
  }
  return `?${next}`;
}
