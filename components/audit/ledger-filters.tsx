"use client";

import IconX from "@tabler/icons-react/icons/IconX";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { changeQuery } from "@/components/shell/change-query";
import { SavedViews } from "@/components/shell/saved-views";
import { shortenMiddle } from "@/components/ui/escape";
import filters from "@/components/ui/filters.module.css";
import { useShownTime } from "@/components/ui/timestamp";
import { AuditAction, SYSTEM_CHAIN } from "@/lib/audit/rules";
import { useActionName } from "./entry-sentence";

/** How far back the quick choices reach, in ms. */
const reaches = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_678_400_000 } as const;

/** Parts of the address that have no field of their own here: set by a link from elsewhere, taken off here. */
const linked = ["actor", "targetType", "target", "from", "to"] as const;

/** What narrows the ledger, all of it in the address. */
export function LedgerFilters({ query }: { query: URLSearchParams }) {
  const t = useTranslations("ledger");
  const actionName = useActionName();
  const shownTime = useShownTime();
  const router = useRouter();
  const change = (changes: Record<string, string | null>) =>
    router.push(changeQuery(query, changes), { scroll: false });
  const shown = (name: (typeof linked)[number], value: string) =>
    name === "from" || name === "to"
      ? Object.values(shownTime(value, "minute")).join(" ")
      : shortenMiddle(value, 18, 6);
  return (
    <div className={filters.filters}>
      <fieldset className={filters.line}>
        <legend className="visually-hidden">{t("filter.label")}</legend>
        <select
          className={filters.field}
          aria-label={t("filter.action")}
          value={query.get("action") ?? ""}
          onChange={(event) => change({ action: event.target.value })}
        >
          <option value="">{t("filter.anyAction")}</option>
          {AuditAction.options.map((action) => (
            <option key={action} value={action}>
              {actionName(action)}
            </option>
          ))}
        </select>
        <select
          className={filters.field}
          aria-label={t("filter.time")}
          value=""
          onChange={(event) => {
            const reach = Object.entries(reaches).find(([name]) => name === event.target.value)?.[1];
            change({ from: reach === undefined ? null : new Date(Date.now() - reach).toISOString(), to: null });
          }}
        >
          <option value="">{t(query.has("from") ? "filter.otherTime" : "filter.anyTime")}</option>
          {Object.keys(reaches).map((name) => (
            <option key={name} value={name}>
              {t(`filter.reach.${name}`)}
            </option>
          ))}
        </select>
        <select
          className={filters.field}
          aria-label={t("filter.chain")}
          value={query.get("chain") ?? ""}
          onChange={(event) => change({ chain: event.target.value })}
        >
          <option value="">{t("filter.anyChain")}</option>
          <option value={SYSTEM_CHAIN}>{t("system")}</option>
        </select>
        <SavedViews page="audit" />
      </fieldset>
      <ul className={filters.chips}>
        {linked.flatMap((name) => {
          const value = query.get(name);
          if (!value) return [];
          return [
            <li key={name}>
              <span>{t(`filter.${name}`)}</span> <bdi className="mono">{shown(name, value)}</bdi>
              <button
                type="button"
                aria-label={t("filter.remove", { what: t(`filter.${name}`) })}
                onClick={() => change({ [name]: null })}
              >
                <IconX size={14} stroke={1.8} />
              </button>
            </li>,
          ];
        })}
      </ul>
    </div>
  );
}
