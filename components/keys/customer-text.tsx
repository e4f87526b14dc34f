"use client";

import { Modal, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { createTranslator, useLocale, useTimeZone, useTranslations } from "next-intl";
import { useState } from "react";
import { useHoldRefresh } from "@/components/shell/refresh";
import { CopyButton } from "@/components/ui/copy-button";
import { isLocale, type Locale, locales } from "@/lib/i18n/locale";
import type { Verdict } from "@/lib/lookup/schema";
import { spell } from "@/lib/lookup/sentences";
import classes from "./dialog.module.css";

/** The verdict for whoever asked, in their language and zone, without anything that is ours alone. */
export function CustomerText({ verdict, onClose }: { verdict: Verdict; onClose: () => void }) {
  const t = useTranslations("key");
  const frame = useTranslations("frame");
  const current = useLocale();
  const here = useTimeZone() ?? "UTC";
  const [locale, setLocale] = useState<Locale>(isLocale(current) ? current : "en");
  const [timeZone, setTimeZone] = useState(here);
  useHoldRefresh("customer", true);
  const { data: text } = useQuery({
    queryKey: ["customer-text", locale, timeZone, verdict.code, verdict.params],
    queryFn: () => customerSentence(verdict, locale, timeZone),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const zones = [...new Set([here, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("customer.title")}
      size="lg"
      closeButtonProps={{ "aria-label": frame("close") }}
    >
      <div className={classes.choices}>
        <NativeSelect
          label={t("customer.language")}
          value={locale}
          onChange={(event) => isLocale(event.currentTarget.value) && setLocale(event.currentTarget.value)}
          data={locales.map((value) => ({ value, label: value === "zh" ? "简体中文" : "English" }))}
        />
        <NativeSelect
          label={t("customer.timeZone")}
          value={timeZone}
          onChange={(event) => setTimeZone(event.currentTarget.value)}
          data={zones}
        />
      </div>
      <blockquote className={classes.quote} lang={locale === "zh" ? "zh-CN" : "en"}>
        {text ?? ""}
      </blockquote>
      <p className={classes.note}>
        {t("customer.note")} {text === undefined ? null : <CopyButton value={text} label={t("customer.text")} />}
      </p>
    </Modal>
  );
}

/** The other language is not on this page, so its sentences are fetched when they are asked for. */
async function customerSentence({ code, params }: Verdict, locale: Locale, timeZone: string): Promise<string> {
  const { default: verdict } = await (locale === "zh"
    ? import("@/lib/i18n/messages/zh/verdict.json")
    : import("@/lib/i18n/messages/en/verdict.json"));
  const t = createTranslator({ locale, messages: { verdict }, namespace: "verdict.customer" });
  return t(code, spell(params, { locale, timeZone }));
}
