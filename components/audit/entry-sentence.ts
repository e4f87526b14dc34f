"use client";

import { useTranslations } from "next-intl";
import { sentenceKey } from "@/lib/audit/rules";
import type { AuditEntry } from "@/lib/audit/schema";

/** Says who did what in the page's language, from the entry's action and details; an unknown action by its code. */
export function useEntrySentence() {
  const t = useTranslations("audit");
  return (entry: Pick<AuditEntry, "action" | "actor" | "target" | "outcome" | "details">): string => {
    const key = sentenceKey(entry.action);
    if (key === null || !t.has(key)) return `${entry.actor.label}: ${entry.action}`;
    const values = Object.entries(entry.details).filter(
      (pair): pair is [string, string | number] => typeof pair[1] === "string" || typeof pair[1] === "number",
    );
    return t(key, {
      ...Object.fromEntries(values),
      actor: entry.actor.label,
      target: entry.target.id,
      outcome: entry.outcome,
    });
  };
}
