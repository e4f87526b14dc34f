import { createHash } from "node:crypto";
import { type BodyRules, canonicalBody, mediaType } from "./body";
import { canonicalPairs } from "./form";
import { NotCanonicalizable } from "./refusal";

/** What decides whether two requests are the same operation. */
export interface FingerprintInput {
  method: string;
  /** The concrete path, percent-encoded as it arrived: never the route template. */
  path: string;
  /** Without the question mark. */
  query: string;
  tenant: string;
  /** Set where an endpoint binds its keys to the caller. */
  principal?: string | undefined;
  contentType: string;
  contentEncoding?: string;
  /** Null when the request has no body; an empty buffer when it has one of no bytes. */
  body: Buffer | null;
}

export const currentVersion = 1;

/**
 * Fingerprint version 1: SHA-256 over length-prefixed parts, so that no two different requests share a pre-image.
 * Throws {@link NotCanonicalizable} for a body without a canonical form.
 */
export function fingerprint(input: FingerprintInput, rules: BodyRules): Buffer {
  if (!["", "identity"].includes(input.contentEncoding?.trim().toLowerCase() ?? "")) {
    throw new NotCanonicalizable("content_encoding");
  }
  const hash = createHash("sha256");
  for (const part of preimage(input, rules)) {
    const bytes = typeof part === "string" ? Buffer.from(part, "utf8") : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest();
}

function preimage(input: FingerprintInput, rules: BodyRules): (string | Buffer)[] {
  const query = canonicalPairs(input.query);
  return [
    input.method.toUpperCase(),
    input.path,
    String(query.length),
    ...query.flat(),
    input.tenant.toLowerCase(),
    ...(input.principal === undefined ? ["0"] : ["1", input.principal]),
    mediaType(input.contentType),
    ...canonicalBody(input.body, input.contentType, rules),
  ];
}
