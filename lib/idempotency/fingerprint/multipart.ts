import { trimBlanks } from "../trim-blanks";
import { NotCanonicalizable } from "./refusal";

/** What names a part (its Content-Disposition), its type and its bytes. */
export type Part = [disposition: string, type: string, content: Buffer];

const lineEnd = "\r\n";

/**
 * The ordered parts of a multipart body (RFC 2046); the boundary, which is random per attempt, is not part of them.
 * Strict and complete: upload parsers skip parts they do not understand, which would make different bodies equal.
 */
export function readParts(body: Buffer, contentType: string): Part[] {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType);
  const delimiter = `${lineEnd}--${boundary?.[1] ?? boundary?.[2] ?? refuse()}`;
  // The first delimiter needs no line break before it, so the body is read as if one stood there.
  const text = Buffer.concat([Buffer.from(lineEnd), body]);
  const parts: Part[] = [];
  let at = after(text, delimiter, 0);
  while (text.toString("latin1", at, at + 2) !== "--") {
    const start = skipPadding(text, at);
    const end = text.indexOf(delimiter, start - lineEnd.length, "latin1");
    if (end < 0) refuse();
    parts.push(readPart(text.subarray(start, Math.max(start, end))));
    at = end + delimiter.length;
  }
  return parts;
}

function after(text: Buffer, delimiter: string, from: number): number {
  const found = text.indexOf(delimiter, from, "latin1");
  return found < 0 ? refuse() : found + delimiter.length;
}

/** A delimiter line may end in blanks before its line break. */
function skipPadding(text: Buffer, from: number): number {
  const end = text.indexOf(lineEnd, from, "latin1");
  return end < 0 || text.toString("latin1", from, end).trim() !== "" ? refuse() : end + lineEnd.length;
}

function readPart(part: Buffer): Part {
  const bare = part.toString("latin1", 0, 2) === lineEnd;
  const end = bare ? 0 : part.indexOf(lineEnd + lineEnd, 0, "latin1");
  if (end < 0) refuse();
  const headers = readHeaders(part.toString("latin1", 0, end));
  const content = part.subarray(end + (bare ? lineEnd.length : 2 * lineEnd.length));
  return [headers.get("content-disposition") ?? "", headers.get("content-type") ?? "", content];
}

function readHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of block.split(lineEnd).filter((text) => text !== "")) {
    const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? refuse();
    const known = name.toLowerCase();
    if (headers.has(known)) refuse();
    headers.set(known, trimBlanks(value));
  }
  return headers;
}

function refuse(): never {
  throw new NotCanonicalizable("invalid_multipart");
}
