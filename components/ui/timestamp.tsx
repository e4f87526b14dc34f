"use client";

import { useLocale, useTimeZone } from "next-intl";
import { isLocale } from "@/lib/i18n/locale";
import { showTime, type TimePrecision } from "@/lib/i18n/time";
import classes from "./text.module.css";

interface TimestampProps {
  /** RFC 3339; its microseconds are kept in `datetime` and shown on hover. */
  at: string;
  precision?: TimePrecision;
  /** Leaves the date out where the heading above already says it. */
  timeOnly?: boolean;
}

/** An instant in the operator's language and zone, the zone always said. */
export function Timestamp({ at, precision = "second", timeOnly = false }: TimestampProps) {
  const shown = useShownTime()(at, precision);
  return (
    <time dateTime={at} title={at} className={classes.time}>
      {timeOnly ? null : `${shown.date} `}
      {shown.time} <span className={classes.zone}>{shown.zone}</span>
    </time>
  );
}

/** Spells instants in the language and zone of this page. */
export function useShownTime() {
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "UTC";
  return (at: string, precision: TimePrecision) => showTime(at, isLocale(locale) ? locale : "en", timeZone, precision);
}
