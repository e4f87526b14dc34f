import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { maxBodyBytes } from "./limits";

/** Keys by id, 32 bytes each. New bodies use `current`; the others stay until no stored body names them. */
export interface KeyRing {
  current: string;
  keys: Record<string, Uint8Array>;
}

/** What a sealed body belongs to: it opens for this operation only, so it cannot be moved to another row. */
export interface SealContext {
  tenant: string;
  endpoint: string;
  key: string;
}

const magic = Buffer.from("IDE1");
const compressOver = 1024;
const gzipFlag = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals a body as `envelope-v1`: magic, flags, key id (one length byte), nonce, tag, ciphertext.
 * Bodies over 1 KiB are compressed first; AES-256-GCM covers the header and the operation as well.
 */
export function sealBody(body: Uint8Array, ring: KeyRing, context: SealContext): Buffer {
  const compress = body.length > compressOver;
  const id = Buffer.from(ring.current, "utf8");
  const header = Buffer.concat([magic, Buffer.from([compress ? gzipFlag : 0, id.length]), id]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", secret(ring, ring.current), nonce);
  cipher.setAAD(Buffer.concat([header, contextBytes(context)]));
  const sealed = Buffer.concat([cipher.update(compress ? gzipSync(body) : body), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]);
}

/** Opens an `envelope-v1`. Throws when it is no envelope, its key is unknown, or a byte was changed. */
export function openBody(sealed: Uint8Array, ring: KeyRing, context: SealContext): Buffer {
  const bytes = Buffer.from(sealed);
  if (!isSealed(bytes)) throw new Error("Not an envelope-v1 body");
  const headerEnd = magic.length + 2 + (bytes[magic.length + 1] ?? 0);
  const id = bytes.toString("utf8", magic.length + 2, headerEnd);
  const tagAt = headerEnd + nonceBytes;
  const decipher = createDecipheriv("aes-256-gcm", secret(ring, id), bytes.subarray(headerEnd, tagAt), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.concat([bytes.subarray(0, headerEnd), contextBytes(context)]));
  decipher.setAuthTag(bytes.subarray(tagAt, tagAt + tagBytes));
  const body = Buffer.concat([decipher.update(bytes.subarray(tagAt + tagBytes)), decipher.final()]);
  const compressed = ((bytes[magic.length] ?? 0) & gzipFlag) !== 0;
  return compressed ? gunzipSync(body, { maxOutputLength: maxBodyBytes }) : body;
}

export function isSealed(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, magic.length)).equals(magic);
}

function secret(ring: KeyRing, id: string): Uint8Array {
  const key = ring.keys[id];
  if (key?.length !== 32) throw new Error(`No 32-byte body key with id ${JSON.stringify(id)}`);
  return key;
}

function contextBytes({ tenant, endpoint, key }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([tenant, endpoint, key]), "utf8");
}
