"use client";

import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty-state";
import type { SearchAnswer, Verdict } from "@/lib/lookup/schema";
import classes from "./list-empty.module.css";
import { useSentences } from "./sentence";

/** Nothing found: what was looked at, what was not and why, and what to try. */
export function ListEmpty({ answer, narrowed }: { answer: SearchAnswer; narrowed: boolean }) {
  const t = useTranslations("keys");
  const say = useSentences();
  const complete = answer.notSearched.length === 0;
  return (
    <EmptyState
      title={answer.verdict ? say("verdict", toldBy(answer.verdict)) : t(narrowed ? "empty.nothing" : "empty.noKeys")}
    >
      <div className={classes.columns}>
        {answer.searched.length === 0 ? null : (
          <section>
            <h3>{t("empty.searched")}</h3>
            <ul>
              {answer.searched.map((one) => (
                <li key={one.by + one.where + one.code}>{say("lookup.searched", one)}</li>
              ))}
            </ul>
          </section>
        )}
        {complete ? null : (
          <section>
            <h3>{t("empty.notSearched")}</h3>
            <ul>
              {answer.notSearched.map((one) => (
                <li key={one.by + one.code}>{say("lookup.notSearched", one)}</li>
              ))}
            </ul>
          </section>
        )}
        {narrowed ? (
          <section>
            <h3>{t("empty.try")}</h3>
            <ul>
              {(["whole", "other", "tenant", "time"] as const).map((advice) => (
                <li key={advice}>{t(`empty.advice.${advice}`)}</li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </EmptyState>
  );
}

function toldBy({ code, params, sentence }: Verdict) {
  return { code, params, text: sentence };
}
