/** How long the second letter of a chord may take, in ms: slower than a tired hand, faster than a new thought. */
export const CHORD_WINDOW_MS = 1_200;

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** The press was meant for a field, not for the page. */
  typing: boolean;
}

/**
 * The name of what was pressed: `mod+k`, `?`, `j`, or `g k` when `g` came just before. Null where the press belongs to
 * a field or to the browser.
 */
export function chordOf(press: KeyPress, previous: string | null): string | null {
  if (press.ctrlKey || press.metaKey) return press.key.toLowerCase() === "k" && !press.altKey ? "mod+k" : null;
  if (press.altKey) return null;
  if (press.typing) return press.key === "Escape" ? "Escape" : null;
  return previous === "g" ? `g ${press.key}` : press.key;
}
