"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { auditOptions } from "@/components/audit/audit-options";
import { useEntrySentence } from "@/components/audit/entry-sentence";
import { useCan } from "@/components/shell/me";
import { Section } from "@/components/ui/section";
import { Timestamp } from "@/components/ui/timestamp";
import type { Chain, KeyDetail } from "@/lib/lookup/schema";
import classes from "./history.module.css";

interface Moment {
  id: string;
  at: string;
  said: ReactNode;
}

/** Changes of state and what people did with this key, newest first. */
export function History({ detail, chain }: { detail: KeyDetail; chain: Chain | undefined }) {
  const t = useTranslations("key");
  const say = useEntrySentence();
  const mayRead = useCan("audit.read_own", detail.tenantId);
  const audit = useInfiniteQuery({
    ...auditOptions({ tenantId: detail.tenantId, targetType: "key", targetId: detail.id ?? detail.keyHash }),
    enabled: mayRead,
  });
  const changes: Moment[] = (chain?.transitions ?? []).map(({ eventId, at, kind, to, source }) => ({
    id: eventId,
    at,
    said: t.has(`transition.${kind}`)
      ? t(`transition.${kind}`)
      : t("transition.other", { kind, to: to ?? "", source: source ?? "" }),
  }));
  const acts: Moment[] = (audit.data?.pages.flatMap(({ items }) => items) ?? []).map((entry) => ({
    id: `${entry.chain}/${entry.seq}`,
    at: entry.at,
    said: <a href={`/audit?tenant=${detail.tenantId}&entry=${entry.chain}/${entry.seq}`}>{say(entry)}</a>,
  }));
  const moments = [...changes, ...acts].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <Section title={t("history.title")}>
      {moments.length === 0 ? <p className={classes.none}>{t("history.none")}</p> : null}
      <ol className={classes.list}>
        {moments.map(({ id, at, said }) => (
          <li key={id}>
            <Timestamp at={at} precision="millisecond" />
            <span>{said}</span>
          </li>
        ))}
      </ol>
      {mayRead ? null : <p className={classes.none}>{t("history.noRight")}</p>}
    </Section>
  );
}
