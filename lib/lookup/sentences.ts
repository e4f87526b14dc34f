import { showDuration } from "@/lib/i18n/duration";
import type { Locale, Reader } from "@/lib/i18n/locale";
import { showTime } from "@/lib/i18n/time";
import type { Param, Params } from "./schema";

/** Parameters as a message takes them: text, and numbers where the message counts. */
export function spell(params: Params, reader: Reader): Record<string, string | number> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, spellOne(value, reader)]));
}

function spellOne(value: Param, { locale, timeZone }: Reader): string | number {
  if (typeof value !== "object") return value;
  if ("ms" in value) return showDuration(value.ms, locale);
  if ("amount" in value) return spellMoney(value.amount, value.currency, locale);
  const { date, time, zone } = showTime(value.time, locale, timeZone, "second");
  return locale === "zh" ? `${date} ${time}（${zone}）` : `${date}, ${time} ${zone}`;
}

/** Minor units as money. A code that is no currency keeps its minor units, said as such by the bare number. */
export function spellMoney(amount: number | string, currency: string, locale: Locale): string {
  try {
    const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "code" });
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    return format.format(asDecimal(String(amount), digits));
  } catch (error) {
    if (error instanceof RangeError) return `${amount} ${currency}`;
    throw error;
  }
}

/** Shifts the point in the digits themselves: dividing would round an amount past 2^53. */
function asDecimal(minor: string, digits: number): Intl.StringNumericLiteral {
  const negative = minor.startsWith("-");
  const padded = minor.replace("-", "").padStart(digits + 1, "0");
  const whole = padded.slice(0, padded.length - digits);
  const text = `${negative ? "-" : ""}${whole}${digits > 0 ? `.${padded.slice(-digits)}` : ""}`;
  return text as Intl.StringNumericLiteral;
}
