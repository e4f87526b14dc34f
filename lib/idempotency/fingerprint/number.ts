import { NotCanonicalizable } from "./refusal";

const maxDigits = 100;
const maxExponent = 308;
const literal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * One spelling per exact decimal value, such as `42e2` for 4200, 4200.0 and 42e2; `-0` is `0`.
 * Never goes through a double, so integers past 2^53 stay distinct and 1e400 cannot become null.
 */
export function canonicalNumber(text: string, offset: number): string {
  const [, sign = "", whole = "", fraction = "", written = "0"] = literal.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.slice(0, endWithoutZeros(digits));
  if (significant.length > maxDigits) throw new NotCanonicalizable("number_too_precise", offset);
  const exponent = Number(written) - fraction.length + (digits.length - significant.length);
  const scientific = significant === "" ? 0 : exponent + significant.length - 1;
  if (Math.abs(Number(written)) > maxExponent || Math.abs(scientific) > maxExponent) {
    throw new NotCanonicalizable("number_out_of_range", offset);
  }
  if (significant === "") return "0";
  return exponent === 0 ? `${sign}${significant}` : `${sign}${significant}e${exponent}`;
}

/** By hand: a pattern for trailing zeros takes quadratic time on a megabyte of them before a one. */
function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return end;
}
