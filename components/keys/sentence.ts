"use client";

import { useLocale, useTimeZone, useTranslations } from "next-intl";
import { isLocale } from "@/lib/i18n/locale";
import type { Params } from "@/lib/lookup/schema";
import { spell } from "@/lib/lookup/sentences";

/** A sentence of the server: its code and parameters, and the words it had there. */
interface Told {
  code: string;
  params: Params;
  text: string;
}

/** Where in the messages the sentences of one kind stand, by their code. */
type SentenceGroup =
  | "verdict"
  | "verdict.facts"
  | "hints"
  | "lookup.retryNow"
  | "lookup.searched"
  | "lookup.notSearched";

/** Says the server's sentences in the language and zone of this page; one of a newer server is said in its own words. */
export function useSentences() {
  const t = useTranslations();
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "UTC";
  return (group: SentenceGroup, { code, params, text }: Told): string => {
    const key = `${group}.${code}`;
    return t.has(key) ? t(key, spell(params, { locale: isLocale(locale) ? locale : "en", timeZone })) : text;
  };
}
