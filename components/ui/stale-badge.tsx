"use client";

import { useTranslations } from "next-intl";
import { shownProblem } from "./problem";
import classes from "./stale-badge.module.css";
import { useShownTime } from "./timestamp";

/** Says that what is shown is old, since when, and why. `since` in epoch ms. */
export function StaleBadge({ error, since }: { error: Error; since: number }) {
  const t = useTranslations("ui");
  const { time, zone } = useShownTime()(new Date(since).toISOString(), "second");
  const { kind } = shownProblem(error);
  return (
    <p className={classes.badge} role="status">
      {t("stale", { time: `${time} ${zone}`, why: t(`problem.${kind}.title`) })}
    </p>
  );
}
