import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

const decoders = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/**
 * The identity form of an encoded body, so that a replay serves any client whatever it accepts.
 * Null when it cannot be decoded within the limit: the body is then not kept, and the answer still goes out.
 */
export async function decodeContent(body: Buffer, encoding: string | null, limit: number): Promise<Buffer | null> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body;
  const decode = decoders.get(name);
  if (!decode) return null;
  try {
    return await decode(body, { maxOutputLength: limit });
  } catch {
    return null;
  }
}
