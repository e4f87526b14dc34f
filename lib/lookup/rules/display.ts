import { isUnseen, spellCharacter } from "@/lib/i18n/unseen";

/** The text with every character that cannot be seen written as `\u{…}`, so that look-alikes look different. */
export function escapeUnseen(text: string): string {
  return Array.from(text, (character) => (isUnseen(character) ? spellCharacter(character) : character)).join("");
}

/**
 * The first and last four characters at most, never more than half of the key, unseen ones escaped.
 * Characters outside ASCII are named by a mark: a letter that only looks Latin must not pass for one.
 */
export function maskKey(key: string): string {
  const characters = Array.from(key);
  const shown = Math.min(4, Math.floor(characters.length / 4));
  const head = characters.slice(0, shown).join("");
  const tail = shown > 0 ? characters.slice(-shown).join("") : "";
  return escapeForeign(`${escapeUnseen(head)}…${escapeUnseen(tail)}`);
}

/** Letters of other scripts in a key that is otherwise ASCII, escaped: Cyrillic а beside Latin a. */
function escapeForeign(text: string): string {
  if (!/[A-Za-z]/.test(text)) return text;
  return text.replace(/[^\0-\x7f…]/gu, spellCharacter);
}
