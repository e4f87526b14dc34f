import { readKey } from "@/lib/idempotency/key-syntax";
import type { MatchedAs } from "../schema";

/** One way to read what was pasted. */
export interface Reading {
  as: Exclude<MatchedAs, "amount">;
  value: string;
}

/** Longest text that may be a request id, an order number or a customer. */
const LONGEST_NAME = 512;
const LONGEST_ID = "9223372036854775807";

const headerName = /^(?:x-)?idempotency-key\s*:\s*/i;
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/i;
const noTrace = /^0+$/;

/**
 * Every reading a pasted text allows, the most telling first. A text may be several things at once: 64 hexadecimal
 * digits are a key hash, a fingerprint, and possibly somebody's key. Empty for blank text.
 */
export function recognise(pasted: string): Reading[] {
  const text = pasted.trim().replace(headerName, "");
  if (text === "") return [];
  return [...digests(text), ...traces(text), ...rowId(text), ...key(text, pasted), ...names(text)];
}

function digests(text: string): Reading[] {
  if (!/^[0-9a-f]{8,66}$/i.test(text)) return [];
  const value = text.toLowerCase();
  if (value.length === 64)
    return [
      { as: "keyHash", value },
      { as: "fingerprint", value },
    ];
  // A fingerprint of a later version has its version in one byte before the digest.
  if (value.length === 66) return [{ as: "fingerprint", value }];
  return value.length < 64 ? [{ as: "keyHashPrefix", value }] : [];
}

function traces(text: string): Reading[] {
  const value = (traceparent.exec(text)?.[1] ?? (/^[0-9a-f]{32}$/i.test(text) ? text : "")).toLowerCase();
  return value === "" || noTrace.test(value) ? [] : [{ as: "traceId", value }];
}

function rowId(text: string): Reading[] {
  const fits = /^[1-9]\d{0,18}$/.test(text) && (text.length < LONGEST_ID.length || text <= LONGEST_ID);
  return fits ? [{ as: "id", value: text }] : [];
}

/** As the header spells it; where that is no key by our rules, exactly as pasted: their rows may hold any text. */
function key(text: string, pasted: string): Reading[] {
  const reading = readKey(text);
  return [{ as: "key", value: reading.ok ? reading.key : headerName.test(pasted.trim()) ? text : pasted }];
}

function names(text: string): Reading[] {
  if (text.length > LONGEST_NAME) return [];
  const value = text.replace(/^"(.*)"$/s, "$1") || text;
  const isToken = !/\s/.test(value);
  return [
    ...(isToken ? [{ as: "requestId", value } as const, { as: "providerReference", value } as const] : []),
    { as: "reference", value },
    { as: "customer", value },
  ];
}
