import { getLocale, getTimeZone } from "next-intl/server";
import { defaultLocale, isLocale, type Reader } from "@/lib/i18n/locale";

/** Whom the server's sentences are written for: the language and zone of this request. */
export async function pageReader(): Promise<Reader> {
  const [locale, timeZone] = await Promise.all([getLocale(), getTimeZone()]);
  return { locale: isLocale(locale) ? locale : defaultLocale, timeZone };
}
