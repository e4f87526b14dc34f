"use client";

import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useHoldRefresh } from "@/components/shell/refresh";
import { CopyButton } from "@/components/ui/copy-button";
import { FactsList } from "@/components/ui/facts-list";
import { HashText, KeyText } from "@/components/ui/key-text";
import { ProblemCard } from "@/components/ui/problem-card";
import { Timestamp } from "@/components/ui/timestamp";
import { tenantOfChain } from "@/lib/audit/rules";
import type { AuditEntry } from "@/lib/audit/schema";
import { auditEntryOptions } from "./audit-options";
import classes from "./entry-drawer.module.css";
import { useEntrySentence } from "./entry-sentence";

/** One entry as it stands in its chain: the sentence, its exact text, and the hashes that hold it in place. */
export function EntryDrawer({ address, onClose }: { address: { chain: string; seq: string }; onClose: () => void }) {
  const t = useTranslations("ledger");
  const entry = useQuery(auditEntryOptions(address));
  useHoldRefresh("entry", true);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={t("entry", { seq: address.seq })}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {entry.error ? <ProblemCard error={entry.error} onRetry={() => void entry.refetch()} /> : null}
      {entry.data ? <Entry entry={entry.data} /> : null}
    </Drawer>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useTranslations("ledger");
  const say = useEntrySentence();
  const tenant = tenantOfChain(entry.chain);
  const own = tenant === undefined ? "" : `&tenant=${tenant}`;
  return (
    <div className={classes.entry}>
      <p className={classes.sentence}>
        <KeyText text={say(entry)} prose />
      </p>
      <FactsList
        items={[
          [t("column.time"), <Timestamp key="at" at={entry.at} precision="microsecond" />],
          [
            t("column.who"),
            <Link key="who" href={`/audit?actor=${encodeURIComponent(entry.actor.id)}`}>
              <KeyText text={entry.actor.label} prose />
            </Link>,
          ],
          [t("column.action"), <code key="action">{entry.action}</code>],
          [
            t("column.target"),
            <Link
              key="target"
              href={`/audit?targetType=${entry.target.type}&target=${encodeURIComponent(entry.target.id)}${own}`}
            >
              <KeyText text={`${entry.target.type} ${entry.target.id}`} />
            </Link>,
          ],
          ...(entry.target.type === "key" && tenant !== undefined
            ? [
                [
                  t("operation"),
                  <Link key="key" href={`/keys/${tenant}/${entry.target.id}`}>
                    {t("openOperation")}
                  </Link>,
                ] as const,
              ]
            : []),
          [t("column.outcome"), t(`outcome.${entry.outcome}`)],
          [t("column.reason"), entry.reason === null ? t("none") : <KeyText key="reason" text={entry.reason} prose />],
          [t("column.chain"), <HashText key="chain" hash={entry.chain} whole />],
        ]}
      />
      <h3>
        {t("text")} <CopyButton value={entry.text} label={t("text")} />
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard */}
      <pre className={classes.text} tabIndex={0}>
        <bdi>{entry.text}</bdi>
      </pre>
      <h3>{t("hashes")}</h3>
      <FactsList
        items={[
          [
            t("previousHash"),
            <HashText key="previous" hash={entry.previousHash} whole copyLabel={t("previousHash")} />,
          ],
          [t("hash"), <HashText key="hash" hash={entry.hash} whole copyLabel={t("hash")} />],
        ]}
      />
      <p className={classes.meaning}>{t("hashMeaning")}</p>
    </div>
  );
}
