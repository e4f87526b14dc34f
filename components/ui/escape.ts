/** A run of text as it may be shown; an escaped run stands for one character that cannot be seen or would move others. */
export interface TextRun {
  text: string;
  escaped: boolean;
}

/** Control, format (zero width, bidirectional), private use, unassigned and surrogate characters, and every space but the plain one. */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]|\u034f/u;

/** Splits hostile text into runs in which nothing is invisible and nothing reorders the page. */
export function escapeUnseen(text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text) {
    const escaped = UNSEEN.test(character);
    const shown = escaped ? spell(character) : character;
    const last = runs.at(-1);
    if (last && !escaped && !last.escaped) last.text += shown;
    else runs.push({ text: shown, escaped });
  }
  return runs;
}

function spell(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The beginning and the end of a long identifier; a short one whole. */
export function shortenMiddle(text: string, head = 8, tail = 4): string {
  return text.length <= head + tail + 2 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
