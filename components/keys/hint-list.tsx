"use client";

import IconAlertTriangle from "@tabler/icons-react/icons/IconAlertTriangle";
import { useTranslations } from "next-intl";
import type { Chain } from "@/lib/lookup/schema";
import classes from "./hint-list.module.css";
import { useSentences } from "./sentence";

/** Which rules of the contract the client broke, each with the attempts that show it. */
export function HintList({ chain, onSelect }: { chain: Chain; onSelect: (eventId: string) => void }) {
  const t = useTranslations("key");
  const say = useSentences();
  if (chain.hints.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t("hints")}>
      {chain.hints.map((hint) => (
        <li key={hint.code} data-hint={hint.code}>
          <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
          <p>
            {say("hints", hint)}{" "}
            {chain.attempts.flatMap(({ eventId }, index) =>
              hint.eventIds.includes(eventId)
                ? [
                    <a key={eventId} href={`#attempt-${eventId}`} onClick={() => onSelect(eventId)}>
                      {t("attemptNumber", { number: index + 1 })}
                    </a>,
                  ]
                : [],
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
