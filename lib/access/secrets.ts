import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** Tells our tokens from others in logs and secret scanners. */
const TOKEN_PREFIX = "idt_";

/** A new API token: 256 random bits, shown once and kept as its hash alone. */
export function newToken(): string {
  return TOKEN_PREFIX + newLinkSecret();
}

/** The secret of a one-time sign-in link: 256 random bits. */
export function newLinkSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Spares the database a look-up of what cannot be ours. */
export function looksLikeToken(text: string): boolean {
  return /^idt_[A-Za-z0-9_-]{43}$/.test(text);
}

/** With 256 random bits a plain hash cannot be guessed backwards, and the look-up stays one index probe. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
