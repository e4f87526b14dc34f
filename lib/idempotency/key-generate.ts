import { ulid } from "ulid";
import { v4, v7 } from "uuid";

/** `uuid7` and `ulid` tell their time of creation and have fewer random bits: choose them on purpose. */
export type KeyFormat = "uuid4" | "uuid7" | "ulid" | "token";

const generators: Record<KeyFormat, () => string> = { uuid4: v4, uuid7: v7, ulid: () => ulid(), token: randomToken };

/**
 * Makes a key for one operation, before its first send. Only clients call this: a key made by a server or a gateway
 * protects nothing. Randomness is the platform's cryptographic source. Browser-safe.
 */
export function generateKey(format: KeyFormat = "uuid4"): string {
  return generators[format]();
}

/** 128 random bits as base64url: 22 characters. */
function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
