/** One name and its value as decoded bytes; bytes, because decoding to text would merge invalid UTF-8. */
export type Pair = [name: Buffer, value: Buffer];

/**
 * The pairs of a query or an `application/x-www-form-urlencoded` body, sorted by name, order kept within a name.
 * Percent signs that begin no escape stand for themselves, as in the URL standard.
 */
export function canonicalPairs(text: string): Pair[] {
  const pairs = text
    .split("&")
    .filter((part) => part !== "")
    .map((part): Pair => {
      const [name = "", ...rest] = part.split("=");
      return [decode(name), decode(rest.join("="))];
    });
  return pairs.sort(([a], [b]) => Buffer.compare(a, b));
}

/** `text` holds one byte per character (latin1), as headers, URLs and form bodies arrive. */
function decode(text: string): Buffer {
  const bytes = text
    .replaceAll("+", " ")
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}
