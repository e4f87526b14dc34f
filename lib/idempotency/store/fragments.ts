import type { Sql } from "../sql";

/** SQL text of our own making (a table name, a time expression), spliced into a statement. Never holds input. */
export class Fragment {
  constructor(readonly text: string) {}
}

/** Quotes a possibly schema-qualified name. */
export function identifier(name: string): Fragment {
  return new Fragment(name.split(".").map(quote).join("."));
}

function quote(part: string): string {
  return `"${part.replaceAll('"', '""')}"`;
}

/** A time as RFC 3339 UTC text with all six digits: a JS Date would drop the microseconds that fence a claim. */
export function iso(expression: string): Fragment {
  return new Fragment(`to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);
}

export type Tag = <Row>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>;

/**
 * Splices fragments into a template and passes the rest as parameters. A statement must always be given the same
 * fragments: the spliced template is kept, so that the adapter sees one stable array and can prepare it once.
 */
export function splicer(): (sql: Sql) => Tag {
  const cache = new WeakMap<TemplateStringsArray, TemplateStringsArray>();
  return (sql) =>
    (strings, ...values) => {
      const spliced = cache.get(strings) ?? splice(strings, values);
      cache.set(strings, spliced);
      return sql.query(spliced, ...values.filter((value) => !(value instanceof Fragment)));
    };
}

function splice(strings: TemplateStringsArray, values: unknown[]): TemplateStringsArray {
  const parts: string[] = [strings[0] ?? ""];
  values.forEach((value, index) => {
    const next = strings[index + 1] ?? "";
    if (value instanceof Fragment) parts.push(`${parts.pop()}${value.text}${next}`);
    else parts.push(next);
  });
  return Object.assign(parts, { raw: parts });
}
