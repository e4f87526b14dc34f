import { parseItem } from "structured-headers";
import { trimBlanks } from "./trim-blanks";

/** Why a value is no key. Each is one rule of the header section of the contract. */
export type KeyRule = "missing" | "empty" | "repeated" | "too_long" | "character" | "unterminated" | "parameters";

export type KeyReading = { ok: true; key: string } | { ok: false; rule: KeyRule };

const maxKeyBytes = 255;

const allowed = /^[A-Za-z0-9_-]+$/;

/**
 * Reads a key as the `Idempotency-Key` header spells it: a bare token or one RFC 9651 String; both name the same key.
 * The desk's search box reads pasted text with this very function, so that both always agree. Browser-safe.
 */
export function readKey(value: string): KeyReading {
  const text = trimBlanks(value);
  if (text === "") return { ok: false, rule: "empty" };
  // No key may hold a comma, so a comma can only be a header that was sent twice and joined.
  if (text.includes(",")) return { ok: false, rule: "repeated" };
  return text.startsWith('"') ? readQuoted(text) : readBare(text);
}

function readQuoted(text: string): KeyReading {
  if (!text.endsWith('"') && !/"\s*;/.test(text)) return { ok: false, rule: "unterminated" };
  try {
    const [value, parameters] = parseItem(text);
    if (typeof value !== "string") return { ok: false, rule: "character" };
    return parameters.size > 0 ? { ok: false, rule: "parameters" } : readBare(value);
  } catch {
    return { ok: false, rule: /^"[^"]*$/.test(text) ? "unterminated" : "character" };
  }
}

function readBare(text: string): KeyReading {
  if (text === "") return { ok: false, rule: "empty" };
  if (/;\s*[a-z*]/.test(text)) return { ok: false, rule: "parameters" };
  if (!allowed.test(text)) return { ok: false, rule: "character" };
  // Every allowed character is one byte, so the length in characters is the length in bytes.
  return text.length > maxKeyBytes ? { ok: false, rule: "too_long" } : { ok: true, key: text };
}

/** The first and last four characters of a key, never more than half of it. Browser-safe. */
export function maskKey(key: string): string {
  const shown = Math.min(4, Math.floor(key.length / 4));
  return `${key.slice(0, shown)}…${shown > 0 ? key.slice(-shown) : ""}`;
}
