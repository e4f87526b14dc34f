import { canonicalPairs } from "./form";
import { parseJson, printJson } from "./json";
import { readParts } from "./multipart";
import { removePointers } from "./pointer";

export interface BodyRules {
  /** Parsed JSON Pointers of fields that change on an honest retry. */
  volatile: readonly string[][];
  /** Hash the bytes as they came, whatever their type. */
  raw: boolean;
}

/** The kind of a body and the parts that identify it. No body, an empty body and `{}` are three things. */
export function canonicalBody(body: Buffer | null, contentType: string, rules: BodyRules): (string | Buffer)[] {
  if (body === null) return ["none"];
  if (body.length === 0) return ["empty"];
  const type = mediaType(contentType);
  if (rules.raw) return ["raw", body];
  if (isJson(type)) return ["json", canonicalJson(body, rules)];
  if (type === "application/x-www-form-urlencoded") return ["form", ...canonicalPairs(body.toString("latin1")).flat()];
  if (type.startsWith("multipart/")) return ["multipart", ...readParts(body, contentType).flat()];
  return ["raw", body];
}

function canonicalJson(body: Buffer, rules: BodyRules): string {
  const node = parseJson(body);
  removePointers(node, rules.volatile);
  return printJson(node);
}

/** The media type without parameters, lower case. Empty when the request names none. */
export function mediaType(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

export function isJson(type: string): boolean {
  return type === "application/json" || type.endsWith("+json");
}
