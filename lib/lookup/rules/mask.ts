/** Stands for a value that this reader may not see. */
export const MASK = "••••";

/** Thirteen to nineteen digits, grouped or not. */
const cardLike = /\b\d(?:[ -]?\d){12,18}\b/g;
const bearer = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const jwt = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g;
const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g;

export interface Masked {
  text: string;
  /** How many values were replaced. */
  count: number;
}

/** Replaces card numbers (by their check digit), bearer tokens and e-mail addresses wherever they stand in a text. */
export function maskText(text: string): Masked {
  let count = 0;
  const hide = (found: string, shown = MASK) => {
    count += 1;
    return found === "" ? found : shown;
  };
  const masked = text
    .replace(bearer, (found, scheme: string) => hide(found, `${scheme} ${MASK}`))
    .replace(jwt, (found) => hide(found))
    .replace(email, (found) => hide(found))
    .replace(cardLike, (found) => (isCard(found) ? hide(found, `${MASK}${found.slice(-4)}`) : found));
  return { text: masked, count };
}

/** ISO/IEC 7812: doubling every second digit from the right, the sum of digits is a multiple of ten. */
export function isCard(text: string): boolean {
  const digits = Array.from(text.replace(/\D/g, ""), Number).reverse();
  if (digits.length < 13 || digits.length > 19 || new Set(digits).size === 1) return false;
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
