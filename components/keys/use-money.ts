"use client";

import { useLocale } from "next-intl";
import { isLocale } from "@/lib/i18n/locale";
import { spellMoney } from "@/lib/lookup/sentences";

/** Spells money in the page's language; empty where the amount is not known. */
export function useMoney() {
  const locale = useLocale();
  return (amount: number | string | null, currency: string | null): string =>
    amount === null || currency === null ? "" : spellMoney(amount, currency, isLocale(locale) ? locale : "en");
}
