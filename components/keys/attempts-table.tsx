"use client";

import { useLocale, useTranslations } from "next-intl";
import { useChords } from "@/components/shell/use-chords";
import { HashText, KeyText } from "@/components/ui/key-text";
import { StateChip } from "@/components/ui/state-chip";
import { Timestamp } from "@/components/ui/timestamp";
import { showDuration } from "@/lib/i18n/duration";
import { isLocale } from "@/lib/i18n/locale";
import type { Attempt } from "@/lib/lookup/schema";
import classes from "./attempts-table.module.css";
import { attemptLook } from "./looks";

interface AttemptsTableProps {
  attempts: readonly Attempt[];
  stuck: boolean;
  selected: string | null;
  onSelect: (eventId: string) => void;
}

/** Every attempt in order, the same facts as the picture. `j` and `k` move the selection of both. */
export function AttemptsTable({ attempts, stuck, selected, onSelect }: AttemptsTableProps) {
  const t = useTranslations("key");
  const move = (step: number) => {
    const current = attempts.findIndex(({ eventId }) => eventId === selected);
    const next = attempts[Math.min(Math.max(current + step, 0), attempts.length - 1)];
    if (next) onSelect(next.eventId);
  };
  useChords({ j: () => move(1), k: () => move(-1) });
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("column.number")}</th>
            <th scope="col">{t("column.outcome")}</th>
            <th scope="col">{t("column.status")}</th>
            <th scope="col">{t("column.time")}</th>
            <th scope="col">{t("column.gap")}</th>
            <th scope="col">{t("column.duration")}</th>
            <th scope="col">{t("column.requestId")}</th>
            <th scope="col">{t("column.traceId")}</th>
            <th scope="col">{t("column.source")}</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt, index) => (
            <AttemptRow
              key={attempt.eventId}
              attempt={attempt}
              number={index + 1}
              stuck={stuck}
              isSelected={attempt.eventId === selected}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface AttemptRowProps {
  attempt: Attempt;
  number: number;
  stuck: boolean;
  isSelected: boolean;
  onSelect: (eventId: string) => void;
}

function AttemptRow({ attempt, number, stuck, isSelected, onSelect }: AttemptRowProps) {
  const t = useTranslations("key");
  const language = useLocale();
  const locale = isLocale(language) ? language : "en";
  const span = (ms: number | null) => (ms === null ? "" : showDuration(ms, locale));
  return (
    <tr
      id={`attempt-${attempt.eventId}`}
      data-selected={isSelected || undefined}
      data-outcome={attempt.outcome}
      onClick={() => onSelect(attempt.eventId)}
    >
      <td>
        <button
          type="button"
          aria-pressed={isSelected}
          aria-label={t("attemptNumber", { number })}
          onClick={() => onSelect(attempt.eventId)}
        >
          {number}
        </button>
      </td>
      <td>
        <StateChip look={attemptLook(attempt.outcome, stuck)}>{t(`outcome.${attempt.outcome}`)}</StateChip>
        {attempt.errorCode === null ? null : <code className={classes.code}>{attempt.errorCode}</code>}
      </td>
      <td className={classes.figure}>{attempt.status ?? ""}</td>
      <td>
        <Timestamp at={attempt.at} precision="millisecond" />
      </td>
      <td className={classes.figure}>{attempt.gapMs === null ? "" : `+${span(attempt.gapMs)}`}</td>
      <td className={classes.figure}>{span(attempt.durationMs)}</td>
      <td>
        {attempt.requestId === null ? "" : <KeyText text={attempt.requestId} copyLabel={t("column.requestId")} />}
      </td>
      <td>{attempt.traceId === null ? "" : <HashText hash={attempt.traceId} copyLabel={t("column.traceId")} />}</td>
      <td>{attempt.source === null ? "" : <KeyText text={attempt.source} />}</td>
    </tr>
  );
}
