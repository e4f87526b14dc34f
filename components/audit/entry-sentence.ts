"use client";

import { useTranslations } from "next-intl";
import type { AuditEntry } from "@/lib/audit/schema";

/** Says an entry in the page's language; one of a newer server, whose action has no sentence here, by its code. */
export function useEntrySentence() {
  const t = useTranslations("audit");
  return ({ actor, action, target, details }: AuditEntry): string => {
    const key = `sentence.${messageName(action)}`;
    const values = Object.entries(details).map(([name, value]) => [
      name,
      typeof value === "number" ? value : String(value),
    ]);
    const params = { ...Object.fromEntries(values), actor: actor.label, action, target: target.id };
    return t(t.has(key) ? key : "sentence.unknown", params);
  };
}

/** The short name of an action; its code where this version does not know it. */
export function useActionName() {
  const t = useTranslations("audit");
  return (action: string): string => {
    const key = `action.${messageName(action)}`;
    return t.has(key) ? t(key) : action;
  };
}

/** A dot would nest in the messages, so an action stands there with an underscore. */
function messageName(action: string): string {
  return action.replace(".", "_");
}
