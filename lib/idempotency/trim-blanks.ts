/**
 * Text without the spaces and tabs around it, HTTP's optional whitespace; other blanks stay. By hand: a pattern for
 * trailing blanks takes quadratic time on a long run of them inside. Browser-safe.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
