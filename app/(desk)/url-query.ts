/** The page's query as the browser has it: a repeated name keeps all its values. */
export function urlQuery(parameters: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  );
}
