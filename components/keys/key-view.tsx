"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useRefreshOptions } from "@/components/shell/refresh";
import { EmptyState } from "@/components/ui/empty-state";
import { ProblemCard } from "@/components/ui/problem-card";
import { Section } from "@/components/ui/section";
import { StaleBadge } from "@/components/ui/stale-badge";
import { type KeyAddress, keyChainOptions, keyDetailOptions } from "@/lib/lookup/client";
import type { Chain } from "@/lib/lookup/schema";
import { AttemptsTable } from "./attempts-table";
import { HintList } from "./hint-list";
import { History } from "./history";
import { KeyHeading } from "./key-heading";
import classes from "./key-view.module.css";
import { Notes } from "./notes";
import { KeyRecord } from "./record";
import type { RevealTarget } from "./reveal-dialog";
import { StoredResponse } from "./stored-response";
import { Timeline } from "./timeline/timeline";
import { TwinList } from "./twin-list";
import { useSelectedAttempt } from "./use-selected-attempt";
import { VerdictCard } from "./verdict-card";

const RevealDialog = dynamic(() => import("./reveal-dialog").then(({ RevealDialog }) => RevealDialog), { ssr: false });

/** One operation, from the answer down to the evidence. */
export function KeyView({ address }: { address: KeyAddress }) {
  const refresh = useRefreshOptions();
  const detail = useQuery({ ...keyDetailOptions(address), ...refresh });
  const chain = useQuery({ ...keyChainOptions(address), ...refresh });
  const [revealing, setRevealing] = useState<RevealTarget | null>(null);
  const [selected, select] = useSelectedAttempt();
  if (!detail.data) {
    return detail.error ? <ProblemCard error={detail.error} onRetry={() => void detail.refetch()} /> : null;
  }
  const { data } = detail;
  const failed = detail.error ?? chain.error;
  return (
    <article className={classes.page} data-stale={failed !== null || undefined}>
      {failed ? <StaleBadge error={failed} since={detail.dataUpdatedAt} /> : null}
      <KeyHeading detail={data} />
      <VerdictCard detail={data} chain={chain.data} onSelect={select} />
      {chain.data ? (
        <ChainParts chain={chain.data} stuck={data.stuck} selected={selected} onSelect={select} />
      ) : chain.error ? (
        <ProblemCard error={chain.error} onRetry={() => void chain.refetch()} />
      ) : null}
      <div className={classes.columns}>
        <KeyRecord detail={data} onReveal={setRevealing} />
        <StoredResponse detail={data} onReveal={setRevealing} />
        <History detail={data} chain={chain.data} />
        <Notes detail={data} />
      </div>
      {revealing !== null && data.id !== null ? (
        <RevealDialog tenantId={data.tenantId} id={data.id} what={revealing} onClose={() => setRevealing(null)} />
      ) : null}
    </article>
  );
}

interface ChainPartsProps {
  chain: Chain;
  stuck: boolean;
  selected: string | null;
  onSelect: (eventId: string) => void;
}

function ChainParts({ chain, stuck, selected, onSelect }: ChainPartsProps) {
  const t = useTranslations("key");
  const count = chain.attempts.length;
  if (count === 0) {
    return (
      <EmptyState title={t("noAttempts")}>
        <p className={classes.quiet}>{t("noAttemptsMeaning")}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <HintList chain={chain} onSelect={onSelect} />
      <Section title={t("timeline.title")}>
        <Timeline chain={chain} selected={selected} onSelect={onSelect} />
      </Section>
      <Section
        title={t("attempts", { count })}
        aside={chain.complete ? null : <p className={classes.quiet}>{t("incomplete")}</p>}
      >
        <AttemptsTable attempts={chain.attempts} stuck={stuck} selected={selected} onSelect={onSelect} />
      </Section>
      {chain.twins.length + chain.nearTwins.length === 0 ? null : (
        <Section title={t("twins")}>
          <TwinList chain={chain} />
        </Section>
      )}
    </>
  );
}
