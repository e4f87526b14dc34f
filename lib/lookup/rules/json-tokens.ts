/** A piece of JSON text, spelled as it was sent. */
export interface JsonToken {
  kind: "mark" | "string" | "literal";
  text: string;
}

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")|(-?\d[\d.eE+-]*|true|false|null))/uy;

/** Cuts JSON into tokens. Null where a piece is no token, so that the text is shown as it is. */
export function cutJson(json: string): JsonToken[] | null {
  const tokens: JsonToken[] = [];
  token.lastIndex = 0;
  for (let end = 0; end < json.length; end = token.lastIndex) {
    const found = token.exec(json);
    if (!found) return json.slice(end).trim() === "" && tokens.length > 0 ? tokens : null;
    const [, mark, string, literal = ""] = found;
    if (mark !== undefined) tokens.push({ kind: "mark", text: mark });
    else if (string !== undefined) tokens.push({ kind: "string", text: string });
    else tokens.push({ kind: "literal", text: literal });
  }
  return tokens.length > 0 ? tokens : null;
}
