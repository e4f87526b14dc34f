export const locales = ["en", "zh"] as const;
export type Locale = (typeof locales)[number];

/** Whom a text is written for. */
export interface Reader {
  locale: Locale;
  /** IANA name. */
  timeZone: string;
}

export const defaultLocale: Locale = "en";

/** True for a language the desk speaks. */
export function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value);
}

/** The best of our languages for an `Accept-Language` header (RFC 9110, 12.5.4); English where none fits. */
export function negotiateLocale(acceptLanguage: string | null): Locale {
  const ranges = (acceptLanguage ?? "")
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const weight = parameters.map((part) => /^\s*q=([\d.]+)$/.exec(part)?.[1]).find((q) => q !== undefined);
      return { language: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return ranges.map(({ language }) => language).find(isLocale) ?? defaultLocale;
}
