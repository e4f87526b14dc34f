"use client";

import IconMessage from "@tabler/icons-react/icons/IconMessage";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { StateMark } from "@/components/ui/state-mark";
import type { Chain, Fact, KeyDetail } from "@/lib/lookup/schema";
import { verdictMarks } from "./looks";
import { useSentences } from "./sentence";
import classes from "./verdict-card.module.css";

const CustomerText = dynamic(() => import("./customer-text").then(({ CustomerText }) => CustomerText), { ssr: false });

interface VerdictCardProps {
  detail: KeyDetail;
  chain: Chain | undefined;
  onSelect: (eventId: string) => void;
}

/** The answer: one sentence, what it rests on, and what a retry would meet now. */
export function VerdictCard({ detail, chain, onSelect }: VerdictCardProps) {
  const t = useTranslations("key");
  const say = useSentences();
  const [writing, setWriting] = useState(false);
  const { verdict, retryNow } = detail;
  const marks = verdictMarks(verdict.code);
  return (
    <section className={classes.card} data-look={marks.length > 1 ? "question" : marks[0]} aria-labelledby="verdict">
      <p className={classes.marks}>
        {marks.map((look, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the marks are a fixed picture and never move
          <StateMark key={index} look={look} size={marks.length > 1 ? 26 : 34} />
        ))}
      </p>
      <div className={classes.body}>
        <h1 id="verdict" className={classes.sentence} data-verdict={verdict.code}>
          {say("verdict", { ...verdict, text: verdict.sentence })}
        </h1>
        {verdict.facts.length === 0 ? null : (
          <ul className={classes.facts} aria-label={t("facts")}>
            {verdict.facts.map((fact) => (
              <FactLine
                key={fact.code + fact.text}
                fact={fact}
                said={say("verdict.facts", fact)}
                chain={chain}
                onSelect={onSelect}
              />
            ))}
          </ul>
        )}
        <div className={classes.retry}>
          <p data-retry={retryNow.outcome}>
            {say("lookup.retryNow", { code: retryNow.outcome, params: retryNow.params, text: retryNow.sentence })}
          </p>
          <button type="button" className={classes.button} onClick={() => setWriting(true)}>
            <IconMessage size={16} stroke={1.6} />
            {t("customer.open")}
          </button>
        </div>
      </div>
      {writing ? <CustomerText verdict={verdict} onClose={() => setWriting(false)} /> : null}
    </section>
  );
}

interface FactLineProps {
  fact: Fact;
  said: string;
  chain: Chain | undefined;
  onSelect: (eventId: string) => void;
}

/** A fact leads to the attempt it rests on, where one of those shown stands behind it. */
function FactLine({ fact, said, chain, onSelect }: FactLineProps) {
  const t = useTranslations("key");
  const index = chain?.attempts.findIndex(({ eventId }) => eventId === fact.eventId) ?? -1;
  const { eventId } = fact;
  if (index === -1 || eventId === undefined) return <li>{said}</li>;
  return (
    <li>
      {said}{" "}
      <a href={`#attempt-${eventId}`} className={classes.evidence} onClick={() => onSelect(eventId)}>
        {t("attemptNumber", { number: index + 1 })}
      </a>
    </li>
  );
}
