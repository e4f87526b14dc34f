"use client";

import { useLocale, useTranslations } from "next-intl";
import { useMemo, useRef } from "react";
import { shortenMiddle } from "@/components/ui/escape";
import { useShownTime } from "@/components/ui/timestamp";
import { showDuration } from "@/lib/i18n/duration";
import { isLocale } from "@/lib/i18n/locale";
import type { Chain } from "@/lib/lookup/schema";
import { layoutTimeline } from "./layout";
import { Picture } from "./picture";
import { prepareTimeline } from "./prepare";
import classes from "./timeline.module.css";
import { useWidth } from "./use-width";

interface TimelineProps {
  chain: Chain;
  selected: string | null;
  onSelect: (eventId: string) => void;
}

/** The chain as a picture: what happened when, what is folded away, and where this key stands now. */
export function Timeline({ chain, selected, onSelect }: TimelineProps) {
  const t = useTranslations("key");
  const locale = useLocale();
  const shownTime = useShownTime();
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const input = useMemo(() => {
    const short = (at: string) => {
      const { date, time } = shownTime(at, "minute");
      return `${date} ${time}`;
    };
    return prepareTimeline(chain, {
      now: t("timeline.now"),
      expires: (at) => t("timeline.expires", { time: short(at) }),
      expired: (at) => t("timeline.expired", { time: short(at) }),
      twin: (hash, status) => t("timeline.twin", { hash: shortenMiddle(hash, 6, 3), status: status ?? "none" }),
    });
  }, [chain, shownTime, t]);
  const model = useMemo(() => layoutTimeline(input, width), [input, width]);
  const words = {
    attempt: (id: string) => {
      const index = chain.attempts.findIndex(({ eventId }) => eventId === id);
      const attempt = chain.attempts[index];
      if (!attempt) return "";
      const { time } = shownTime(attempt.at, "millisecond");
      return t("timeline.attempt", {
        number: index + 1,
        time,
        outcome: t(`outcome.${attempt.outcome}`),
        status: attempt.status ?? "none",
      });
    },
    gap: (micros: number) => showDuration(micros / 1_000, isLocale(locale) ? locale : "en"),
    // The day is said once, and again where it changes.
    tick: (micros: number, before: number | null) => {
      const { date, time } = shownTime(new Date(micros / 1_000).toISOString(), "second");
      const same = before === null || shownTime(new Date(before / 1_000).toISOString(), "second").date === date;
      return same ? time : `${date} ${time}`;
    },
  };
  return (
    <figure className={classes.figure}>
      <div ref={ref} className={classes.frame} style={{ minHeight: model.height }}>
        {width === 0 ? null : (
          <Picture model={model} label={t("timeline.label")} words={words} selected={selected} onSelect={onSelect} />
        )}
      </div>
    </figure>
  );
}
