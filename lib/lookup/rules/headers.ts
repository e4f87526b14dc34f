import { z } from "zod";
import type { Header } from "../schema";
import { MASK, maskText } from "./mask";

/** Headers that say what an answer is and carry nobody's secret. */
const harmless: ReadonlySet<string> = new Set([
  "cache-control",
  "content-encoding",
  "content-language",
  "content-length",
  "content-type",
  "date",
  "etag",
  "last-modified",
  "location",
  "retry-after",
  "vary",
]);

const Value = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Pairs = z.array(z.tuple([z.string(), Value]));
const ByName = z.record(z.string(), z.union([Value.transform((value) => [value]), z.array(Value)]));

/** Stored headers as pairs, however the row spells them: pairs, an object, or nothing. What is neither is left out. */
export function headerPairs(stored: unknown): [name: string, value: string][] {
  const pairs = Pairs.safeParse(stored);
  if (pairs.success) return pairs.data;
  const byName = ByName.safeParse(stored);
  if (!byName.success) return [];
  return Object.entries(byName.data).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
}

/** Headers for anyone who may look: only harmless ones say their value, and those without secrets in them. */
export function maskedHeaders(stored: unknown): Header[] {
  return headerPairs(stored).map(([name, value]) => {
    if (!harmless.has(name.toLowerCase())) return { name, value: MASK, masked: true };
    const { text, count } = maskText(value);
    return { name, value: text, masked: count > 0 };
  });
}

/** Headers as revealed: whole, or with card numbers, tokens and addresses replaced. */
export function revealedHeaders(stored: unknown, mask: boolean): Header[] {
  return headerPairs(stored).map(([name, value]) => {
    const { text, count } = mask ? maskText(value) : { text: value, count: 0 };
    return { name, value: text, masked: count > 0 };
  });
}

/** The first value of a header; null where there is none. */
export function headerValue(stored: unknown, name: string): string | null {
  return headerPairs(stored).find(([own]) => own.toLowerCase() === name)?.[1] ?? null;
}
