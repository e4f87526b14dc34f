import { type KeyRule, readKey } from "./key-syntax";

export const keyHeader = "Idempotency-Key";

export interface KeyHeaderOptions {
  /** A second header name to accept during a migration, for example `X-Idempotency-Key`. */
  alias?: string;
}

export type KeyHeaderReading = { ok: true; key: string; spelled: string } | { ok: false; rule: KeyRule };

/**
 * Reads the key from a request's headers. Where both names arrive the canonical one decides, even if it is malformed:
 * a request must never be protected under another key than the one its sender wrote first.
 * `spelled` is the value as sent, for the echo.
 */
export function parseKeyHeader(headers: Headers, options: KeyHeaderOptions = {}): KeyHeaderReading {
  const value = headers.get(keyHeader) ?? (options.alias ? headers.get(options.alias) : null);
  if (value === null) return { ok: false, rule: "missing" };
  const reading = readKey(value);
  return reading.ok ? { ...reading, spelled: value.trim() } : reading;
}

/** Sentences for the 400 answer; they never repeat the refused value. */
export const keyRuleText: Record<KeyRule, string> = {
  missing: "This endpoint requires an Idempotency-Key header.",
  empty: "The key is empty.",
  repeated: "The header was sent more than once, or holds a comma.",
  too_long: "The key is longer than 255 bytes.",
  character: "The key may hold only A-Z a-z 0-9 - and _.",
  unterminated: "The quoted key does not end with a quote.",
  parameters: "The key carries parameters; none are allowed.",
};
