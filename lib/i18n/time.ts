import type { Locale } from "./locale";

/** How exactly a time is shown: to the second in prose, to the millisecond in chains. */
export type TimePrecision = "minute" | "second" | "millisecond" | "microsecond";

const FRACTION_DIGITS: Record<TimePrecision, number> = { minute: 0, second: 0, millisecond: 3, microsecond: 6 };

export interface ShownTime {
  date: string;
  time: string;
  /** `UTC`, or the offset in force at that instant: an abbreviation is ambiguous, an offset is not. */
  zone: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function numericFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  formats.set(timeZone, made);
  return made;
}

const ENGLISH_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * An RFC 3339 instant in words of a language and a zone. Built from numeric parts, so that server and browser agree to
 * the letter whatever their locale data; the fraction is copied from the text, because a Date drops microseconds.
 */
export function showTime(instant: string, locale: Locale, timeZone: string, precision: TimePrecision): ShownTime {
  const parts = new Map(
    numericFormat(timeZone)
      .formatToParts(new Date(instant))
      .map((p) => [p.type, p.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
  const day = Number(part("day"));
  const month = Number(part("month"));
  const date =
    locale === "zh"
      ? `${part("year")}年${month}月${day}日`
      : `${day} ${ENGLISH_MONTHS[month - 1] ?? ""} ${part("year")}`;
  const clock = `${part("hour")}:${part("minute")}`;
  const digits = FRACTION_DIGITS[precision];
  const fraction = (/\.(\d+)/.exec(instant)?.[1] ?? "").padEnd(digits, "0").slice(0, digits);
  const seconds = precision === "minute" ? "" : `:${part("second")}${fraction === "" ? "" : `.${fraction}`}`;
  return { date, time: clock + seconds, zone: showOffset(part("timeZoneName"), timeZone) };
}

function showOffset(longOffset: string, timeZone: string): string {
  if (timeZone === "UTC") return "UTC";
  const offset = longOffset.replace("GMT", "");
  return offset === "" ? "+00:00" : offset.replace("-", "−");
}

/** Microseconds since the epoch of an RFC 3339 instant with up to six fractional digits; exact below the year 2255. */
export function instantMicros(instant: string): number {
  const fraction = (/\.(\d+)/.exec(instant)?.[1] ?? "").padEnd(6, "0").slice(0, 6);
  return Math.floor(Date.parse(instant) / 1000) * 1_000_000 + Number(fraction);
}
