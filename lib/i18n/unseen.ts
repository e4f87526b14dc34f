/** Control, format (zero width, bidirectional), private use, unassigned and surrogate characters, and every space but the plain one. */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]|\u034f/u;

/** Whether a character draws nothing or moves what is drawn, so that a text with it looks like another. */
export function isUnseen(character: string): boolean {
  return UNSEEN.test(character);
}

/** A character by its number, as `\u{200b}`. */
export function spellCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
