"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useChords } from "@/components/shell/use-chords";
import { useTenantName } from "@/components/shell/use-tenant-name";
import { KeyText } from "@/components/ui/key-text";
import { Timestamp } from "@/components/ui/timestamp";
import { SYSTEM_CHAIN, tenantOfChain } from "@/lib/audit/rules";
import type { AuditEntry } from "@/lib/audit/schema";
import { useEntrySentence } from "./entry-sentence";
import classes from "./ledger-table.module.css";

interface LedgerTableProps {
  entries: readonly AuditEntry[];
  open: { chain: string; seq: string } | null;
  onOpen: (entry: AuditEntry) => void;
}

/** The ledger's lines. `j`, `k` and Enter work on them. */
export function LedgerTable({ entries, open, onOpen }: LedgerTableProps) {
  const t = useTranslations("ledger");
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (step: number) => {
    const buttons = [...(body.current?.querySelectorAll<HTMLButtonElement>("button[data-open]") ?? [])];
    const current = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.min(Math.max(current + step, 0), buttons.length - 1)]?.focus();
  };
  useChords({ j: () => move(1), k: () => move(-1) });
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t("column.time")}</th>
          <th scope="col">{t("column.what")}</th>
          <th scope="col">{t("column.outcome")}</th>
          <th scope="col">{t("column.reason")}</th>
          <th scope="col">{t("column.chain")}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {entries.map((entry) => (
          <Line
            key={`${entry.chain}/${entry.seq}`}
            entry={entry}
            isOpen={entry.chain === open?.chain && entry.seq === open.seq}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

function Line({ entry, isOpen, onOpen }: { entry: AuditEntry; isOpen: boolean; onOpen: (entry: AuditEntry) => void }) {
  const t = useTranslations("ledger");
  const say = useEntrySentence();
  const tenantName = useTenantName();
  const tenant = tenantOfChain(entry.chain);
  return (
    <tr data-open={isOpen || undefined} data-action={entry.action} onClick={() => onOpen(entry)}>
      <td>
        <Timestamp at={entry.at} />
      </td>
      <td>
        <button type="button" data-open aria-haspopup="dialog" onClick={() => onOpen(entry)}>
          <KeyText text={say(entry)} prose />
        </button>
      </td>
      <td data-outcome={entry.outcome}>{t(`outcome.${entry.outcome}`)}</td>
      <td>{entry.reason === null ? "" : <KeyText text={entry.reason} prose />}</td>
      <td>
        <span title={entry.chain}>
          {entry.chain === SYSTEM_CHAIN || tenant === undefined ? t("system") : tenantName(tenant)}
        </span>{" "}
        <span className="mono">{entry.seq}</span>
      </td>
    </tr>
  );
}
