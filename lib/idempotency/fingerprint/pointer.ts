import type { JsonNode } from "./json";

/**
 * Parses the JSON Pointers (RFC 6901) of an endpoint's volatile fields.
 * Throws on a malformed pointer, and on the whole-document pointer, which would leave nothing to hash.
 */
export function parsePointers(pointers: readonly string[]): string[][] {
  return pointers.map((pointer) => {
    if (pointer === "") throw new RangeError("The pointer to the whole body would leave nothing to fingerprint");
    if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) throw new RangeError(`Not a JSON Pointer: ${pointer}`);
    return pointer
      .slice(1)
      .split("/")
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  });
}

/** Removes what the pointers name, in place; a pointer that names nothing does nothing. */
export function removePointers(root: JsonNode, pointers: readonly string[][]): void {
  // All targets are found before any is removed, so that array indexes mean the body as it was sent.
  const targets = pointers.map((tokens) => ({
    parent: tokens.slice(0, -1).reduce<JsonNode | undefined>(child, root),
    token: tokens.at(-1) ?? "",
  }));
  const dropped = new Map<JsonNode[], Set<string>>();
  for (const { parent, token } of targets) {
    if (parent instanceof Map) parent.delete(token);
    else if (Array.isArray(parent)) dropped.set(parent, (dropped.get(parent) ?? new Set()).add(token));
  }
  for (const [items, tokens] of dropped) {
    items.splice(0, items.length, ...items.filter((_, at) => !tokens.has(String(at))));
  }
}

function child(node: JsonNode | undefined, token: string): JsonNode | undefined {
  if (node instanceof Map) return node.get(token);
  return Array.isArray(node) ? node.find((_, at) => String(at) === token) : undefined;
}
