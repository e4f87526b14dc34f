import { createHash } from "node:crypto";

/** SHA-256 of the key's UTF-8 bytes, lower-case hex: what logs, URLs and events carry in place of the key. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}
