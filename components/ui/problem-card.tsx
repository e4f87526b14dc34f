"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "./copy-button";
import { shownProblem } from "./problem";
import classes from "./problem-card.module.css";

/** A call that failed: what happened, what it means, what to do, and the id to pass on. */
export function ProblemCard({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const t = useTranslations("ui");
  const { kind, detail, requestId } = shownProblem(error);
  return (
    <section className={classes.card} role="alert">
      <h2>{t(`problem.${kind}.title`)}</h2>
      <p>{t(`problem.${kind}.advice`)}</p>
      {detail === null ? null : (
        <p className={classes.detail} lang="en">
          {detail}
        </p>
      )}
      {requestId === null ? null : (
        <p className={classes.detail}>
          {t("requestId")} <code>{requestId}</code> <CopyButton value={requestId} label={t("requestId")} />
        </p>
      )}
      {onRetry === undefined ? null : (
        <button type="button" className={classes.retry} onClick={onRetry}>
          {t("retry")}
        </button>
      )}
    </section>
  );
}
