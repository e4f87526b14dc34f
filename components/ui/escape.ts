import { isUnseen, spellCharacter } from "@/lib/i18n/unseen";

/** A run of text as it may be shown; an escaped run stands for one character that cannot be seen or would move others. */
export interface TextRun {
  text: string;
  escaped: boolean;
}

/** Splits hostile text into runs in which nothing is invisible and nothing reorders the page. */
export function escapeUnseen(text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text) {
    const escaped = isUnseen(character);
    const shown = escaped ? spellCharacter(character) : character;
    const last = runs.at(-1);
    if (last && !escaped && !last.escaped) last.text += shown;
    else runs.push({ text: shown, escaped });
  }
  return runs;
}

/** The beginning and the end of a long identifier; a short one whole. */
export function shortenMiddle(text: string, head = 8, tail = 4): string {
  return text.length <= head + tail + 2 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
