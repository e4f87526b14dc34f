"use client";

import { useTranslations } from "next-intl";
import { useShownTime } from "@/components/ui/timestamp";
import { refreshChoices } from "@/lib/i18n/preferences";
import { useAsOf, useRefresh } from "./refresh";
import classes from "./top-bar.module.css";

/** How old the page is, and how often it is asked for again. */
export function RefreshControl() {
  const t = useTranslations("frame");
  const { seconds, paused, choose } = useRefresh();
  const shownTime = useShownTime();
  const asOf = useAsOf();
  const age = asOf === null ? "" : shownTime(new Date(asOf).toISOString(), "second").time;
  return (
    <span className={classes.refresh}>
      <span className={classes.asOf}>{paused ? t("refreshPaused") : age === "" ? "" : t("asOf", { time: age })}</span>
      <select aria-label={t("refresh")} value={seconds} onChange={(event) => choose(Number(event.target.value))}>
        {refreshChoices.map((choice) => (
          <option key={choice} value={choice}>
            {choice === 0 ? t("refreshOff") : t("refreshEvery", { seconds: choice })}
          </option>
        ))}
      </select>
    </span>
  );
}
