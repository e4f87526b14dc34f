import { canonicalNumber } from "./number";
import { NotCanonicalizable, type RefusalRule } from "./refusal";

/** Parsed JSON that has lost nothing: a scalar is its canonical text, an object keeps its members by name. */
export type JsonNode = string | JsonNode[] | Map<string, JsonNode>;

const maxDepth = 512;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Most strings: no escape and no control character, so that the text is the value. */
const plainString = /"[^"\\\p{Cc}]*"/uy;
const quoteOrEscape = /["\\]/g;
const unpairedSurrogate = /\p{Surrogate}/u;
const word = /true|false|null/y;

/** Decodes and parses strictly (RFC 8259), refusing what has no single meaning. */
export function parseJson(bytes: Uint8Array): JsonNode {
  return new Parser(decode(bytes)).document();
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotCanonicalizable("invalid_utf8");
  }
}

/** Null for an escape or a control character that JSON does not allow. */
function readLiteral(literal: string): string | null {
  try {
    return String(JSON.parse(literal));
  } catch {
    return null;
  }
}

/** Space, tab, line feed or carriage return. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): JsonNode {
    const node = this.value(0);
    this.skipBlanks();
    if (this.at < this.text.length) this.refuse("invalid_json");
    return node;
  }

  private value(depth: number): JsonNode {
    if (depth > maxDepth) this.refuse("too_deep");
    this.skipBlanks();
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    if (first === '"') return JSON.stringify(this.string());
    const start = this.at;
    const number = this.match(numberToken);
    if (number) return canonicalNumber(number, start);
    return this.match(word) ?? this.refuse("invalid_json");
  }

  private object(depth: number): Map<string, JsonNode> {
    const members = new Map<string, JsonNode>();
    this.at++;
    if (this.take("}")) return members;
    do {
      this.skipBlanks();
      const start = this.at;
      const name = this.string();
      if (members.has(name)) this.refuse("duplicate_member", start);
      if (!this.take(":")) this.refuse("invalid_json");
      members.set(name, this.value(depth + 1));
    } while (this.take(","));
    if (!this.take("}")) this.refuse("invalid_json");
    return members;
  }

  private array(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    this.at++;
    if (this.take("]")) return items;
    do items.push(this.value(depth + 1));
    while (this.take(","));
    if (!this.take("]")) this.refuse("invalid_json");
    return items;
  }

  private string(): string {
    return this.match(plainString)?.slice(1, -1) ?? this.escapedString();
  }

  private escapedString(): string {
    const start = this.at;
    if (this.text[start] !== '"') this.refuse("invalid_json");
    this.at = this.closingQuote(start + 1) + 1;
    const value = readLiteral(this.text.slice(start, this.at));
    if (value === null) return this.refuse("invalid_json", start);
    if (unpairedSurrogate.test(value)) this.refuse("unpaired_surrogate", start);
    return value;
  }

  private closingQuote(from: number): number {
    for (let at = from; ; ) {
      quoteOrEscape.lastIndex = at;
      const found = quoteOrEscape.exec(this.text);
      if (!found) return this.refuse("invalid_json", from);
      if (found[0] === '"') return found.index;
      at = found.index + 2;
    }
  }

  private skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.at))) this.at++;
  }

  private take(character: string): boolean {
    this.skipBlanks();
    const found = this.text[this.at] === character;
    if (found) this.at++;
    return found;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private refuse(rule: RefusalRule, offset = this.at): never {
    throw new NotCanonicalizable(rule, offset);
  }
}

/** Members by UTF-16 code units (JavaScript's own string order), arrays as they are, no whitespace. */
export function printJson(node: JsonNode): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return `[${node.map(printJson).join(",")}]`;
  const members = [...node].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${printJson(value)}`).join(",")}}`;
}
