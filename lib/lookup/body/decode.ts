import "server-only";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import type { BodyProblem } from "./open";

/** Bytes a body may become when it is decompressed: a small one may claim to be gigabytes. */
const MOST_DECODED = 32 * 1024 * 1024;

type Decoder = (bytes: Buffer) => Promise<Buffer>;

const limits = { maxOutputLength: MOST_DECODED };
const asGzip: Decoder = (bytes) => promisify(gunzip)(bytes, limits);
const asBrotli: Decoder = (bytes) => promisify(brotliDecompress)(bytes, limits);
/** `deflate` means zlib's wrapping; some servers send it bare. */
const asDeflate: Decoder = (bytes) => promisify(isZlib(bytes) ? inflate : inflateRaw)(bytes, limits);
const asItIs: Decoder = async (bytes) => bytes;

const decoders = new Map<string, Decoder>([
  ["", asItIs],
  ["identity", asItIs],
  ["gzip", asGzip],
  ["x-gzip", asGzip],
  ["deflate", asDeflate],
  ["br", asBrotli],
]);

export type Decoded = { bytes: Buffer; problem: null } | { bytes: null; problem: BodyProblem };

/** Undoes the content encodings a header names, the last applied first. Gzip is also known by its first bytes. */
export async function decodeBody(stored: Buffer, encodings: string | null): Promise<Decoded> {
  const names = (encodings ?? (isGzip(stored) ? "gzip" : "")).split(",").map((name) => name.trim().toLowerCase());
  let bytes = stored;
  for (const name of names.reverse()) {
    const decode = decoders.get(name);
    if (!decode) return { bytes: null, problem: "unknown_encoding" };
    try {
      bytes = await decode(bytes);
    } catch (error) {
      return { bytes: null, problem: isTooLarge(error) ? "too_large" : "damaged" };
    }
  }
  return { bytes, problem: null };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZlib(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
