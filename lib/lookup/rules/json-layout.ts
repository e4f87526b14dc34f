import { cutJson, type JsonToken } from "./json-tokens";
import { MASK, maskText } from "./mask";

/** JSON as it was sent, laid out on lines; every number and string keeps its own spelling. */
export interface JsonLayout {
  text: string;
  /** The text goes on past what may be shown. */
  truncated: boolean;
  maskedValues: number;
}

export interface LayoutOptions {
  /** Characters shown at most. */
  limit: number;
  /** Hides secrets, and the values at `pointers` (RFC 6901). */
  mask: boolean;
  pointers?: readonly string[];
}

/** Deeper than any honest answer: a tower of brackets must not become megabytes of spaces. */
const DEEPEST = 200;

/**
 * Lays JSON out token by token, so that no number is rounded and no string changed. Null where the text is not JSON, or
 * deeper than any honest answer; it is then shown as text.
 */
export function layOutJson(json: string, options: LayoutOptions): JsonLayout | null {
  const tokens = cutJson(json);
  if (!tokens) return null;
  const printer = new Printer(options);
  for (const token of tokens) {
    if (!printer.print(token)) return null;
    if (printer.text.length > options.limit) break;
  }
  const { text, maskedValues } = printer;
  return { text: text.slice(0, options.limit), truncated: text.length > options.limit, maskedValues };
}

/** An object or array that is open, and where in it the next token stands. */
interface Level {
  close: string;
  empty: boolean;
  /** Member name or index of the value that comes. */
  at: string;
  count: number;
  wantsName: boolean;
}

class Printer {
  text = "";
  maskedValues = 0;
  private readonly levels: Level[] = [];
  private readonly hidden: ReadonlySet<string>;
  /** Depth of the value being skipped, because it is hidden; 0 outside of one. */
  private skipping = 0;

  constructor(private readonly options: LayoutOptions) {
    this.hidden = new Set(options.mask ? options.pointers : []);
  }

  /** Prints one token; false where it cannot stand here. */
  print(token: JsonToken): boolean {
    if (this.skipping > 0) return this.skip(token.text);
    switch (token.text) {
      case "{":
      case "[":
        return this.open(token.text);
      case "}":
      case "]":
        return this.close(token.text);
      case ",":
        return this.separate();
      case ":":
        this.text += ": ";
        return this.levels.length > 0;
      default:
        return this.value(token);
    }
  }

  private open(mark: string): boolean {
    if (this.levels.length >= DEEPEST) return false;
    this.startItem();
    if (this.isHidden()) {
      this.hide();
      this.skipping = 1;
      return true;
    }
    this.text += mark;
    const isObject = mark === "{";
    this.levels.push({ close: isObject ? "}" : "]", empty: true, at: "0", count: 0, wantsName: isObject });
    return true;
  }

  private close(mark: string): boolean {
    const level = this.levels.pop();
    if (level?.close !== mark) return false;
    this.text += level.empty ? mark : `\n${this.indent()}${mark}`;
    return true;
  }

  private separate(): boolean {
    const level = this.levels.at(-1);
    if (!level) return false;
    level.count += 1;
    level.at = String(level.count);
    level.wantsName = level.close === "}";
    this.text += ",";
    return true;
  }

  private value({ kind, text }: JsonToken): boolean {
    const level = this.levels.at(-1);
    this.startItem();
    if (level?.wantsName) {
      if (kind !== "string") return false;
      level.wantsName = false;
      level.at = JSON.parse(text);
      this.text += this.masked(text, level.at);
    } else if (this.isHidden()) this.hide();
    else this.text += this.masked(text, kind === "string" ? JSON.parse(text) : text);
    return true;
  }

  /** A line of its own for each member, name and value together. */
  private startItem(): void {
    const level = this.levels.at(-1);
    if (!level || this.text.endsWith(": ")) return;
    level.empty = false;
    this.text += `\n${this.indent()}`;
  }

  private indent(): string {
    return "  ".repeat(this.levels.length);
  }

  private masked(spelled: string, value: string): string {
    if (!this.options.mask) return spelled;
    const { text, count } = maskText(value);
    this.maskedValues += count;
    return count > 0 ? JSON.stringify(text) : spelled;
  }

  private isHidden(): boolean {
    if (this.hidden.size === 0) return false;
    const path = this.levels.map(({ at }) => `/${at.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    return this.hidden.has(path.join(""));
  }

  private hide(): void {
    this.maskedValues += 1;
    this.text += JSON.stringify(MASK);
  }

  private skip(text: string): boolean {
    if (text === "{" || text === "[") this.skipping += 1;
    if (text === "}" || text === "]") this.skipping -= 1;
    return true;
  }
}
