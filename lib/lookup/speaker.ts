import { createTranslator, type Messages } from "use-intl/core";
import type { Locale, Reader } from "@/lib/i18n/locale";
import enHints from "@/lib/i18n/messages/en/hints.json";
import enLookup from "@/lib/i18n/messages/en/lookup.json";
import enVerdict from "@/lib/i18n/messages/en/verdict.json";
import zhHints from "@/lib/i18n/messages/zh/hints.json";
import zhLookup from "@/lib/i18n/messages/zh/lookup.json";
import zhVerdict from "@/lib/i18n/messages/zh/verdict.json";
import type { ToldFact } from "./rules/facts";
import type { ToldHint } from "./rules/hints";
import type { Told } from "./rules/model";
import type { ToldRetry } from "./rules/retry-now";
import type { ToldVerdict } from "./rules/verdict";
import type { Fact, Hint, RetryNow, Sentence, Verdict } from "./schema";
import { spell } from "./sentences";

/** Every code is said in both languages by a test, so that keys may stay plain text here. */
const messages: Record<Locale, Messages> = {
  en: { verdict: enVerdict, hints: enHints, lookup: enLookup },
  zh: { verdict: zhVerdict, hints: zhHints, lookup: zhLookup },
};

/** Says what the rules tell, in the reader's language and zone. */
export function speaker(reader: Reader) {
  const translate = createTranslator<Messages>({ locale: reader.locale, messages: messages[reader.locale] });
  const say = (key: string, told: Pick<Told, "params">) => translate(key, spell(told.params, reader));
  return {
    searched: (told: Told): Sentence => ({ ...told, text: say(`lookup.searched.${told.code}`, told) }),
    notSearched: (told: Told): Sentence => ({ ...told, text: say(`lookup.notSearched.${told.code}`, told) }),
    verdict: (told: ToldVerdict): Verdict => ({
      ...told,
      sentence: say(`verdict.${told.code}`, told),
      facts: told.facts.map((fact) => sayFact(fact, say)),
    }),
    hint: (told: ToldHint): Hint => ({ ...told, text: say(`hints.${told.code}`, told) }),
    retryNow: (told: ToldRetry): RetryNow => ({ ...told, sentence: say(`lookup.retryNow.${told.outcome}`, told) }),
  };
}

export type Speaker = ReturnType<typeof speaker>;

function sayFact(fact: ToldFact, say: (key: string, told: Told) => string): Fact {
  return { ...fact, text: say(`verdict.facts.${fact.code}`, fact) };
}
