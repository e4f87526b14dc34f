import type { RevealedBody } from "../schema";
import { layOutJson } from "./json-layout";
import { maskText } from "./mask";

/** Characters of a body that are shown; the rest is in the download. */
export const MOST_SHOWN = 256 * 1024;
/** Longer JSON is shown as it came: laying it out would hold a page up. */
const MOST_LAID_OUT = 1024 * 1024;
/** Bytes of a binary body that are shown. */
const MOST_HEX = 16 * 1024;
/** Read past the end of what is shown, so that a secret cut by it is still seen whole. */
const OVERLAP = 2048;
const HEX_PER_LINE = 16;

export type BodyView = Pick<RevealedBody, "view" | "text" | "truncated" | "maskedValues" | "problem">;

interface ViewOptions {
  mask: boolean;
  pointers: readonly string[];
}

/** How a decoded body is shown: JSON laid out, text as it is, anything else as hexadecimal. Never as markup. */
export function viewBody(bytes: Uint8Array, { mask, pointers }: ViewOptions): BodyView {
  const text = asText(bytes);
  if (text === null) return mask ? hiddenBinary : viewHex(bytes);
  const json = text.length <= MOST_LAID_OUT ? layOutJson(text, { limit: MOST_SHOWN, mask, pointers }) : null;
  if (json) return { view: "json", ...json, problem: null };
  const { text: shown, count } = mask ? maskText(text.slice(0, MOST_SHOWN + OVERLAP)) : { text, count: 0 };
  const truncated = text.length > MOST_SHOWN;
  return { view: "text", text: shown.slice(0, MOST_SHOWN), truncated, maskedValues: count, problem: null };
}

/** Nobody can say what a binary holds, so a reader of masked bodies does not get it. */
const hiddenBinary: BodyView = { view: "none", text: "", truncated: false, maskedValues: 1, problem: "masked" };

/** The text of UTF-8 bytes without control characters that text does not have; null for anything else. */
function asText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells a binary from a text
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function viewHex(bytes: Uint8Array): BodyView {
  const shown = bytes.subarray(0, MOST_HEX);
  const lines: string[] = [];
  for (let at = 0; at < shown.length; at += HEX_PER_LINE)
    lines.push(hexLine(shown.subarray(at, at + HEX_PER_LINE), at));
  return { view: "hex", text: lines.join("\n"), truncated: bytes.length > MOST_HEX, maskedValues: 0, problem: null };
}

/** Offset, bytes, and their printable characters, as `hexdump -C` spells them. */
function hexLine(bytes: Uint8Array, at: number): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const printable = Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join(
    "",
  );
  return `${at.toString(16).padStart(8, "0")}  ${hex.padEnd(HEX_PER_LINE * 3 - 1)}  ${printable}`;
}
