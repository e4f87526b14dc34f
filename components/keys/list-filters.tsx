"use client";

import IconX from "@tabler/icons-react/icons/IconX";
import dynamic from "next/dynamic";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { changeQuery } from "@/components/shell/change-query";
import { SavedViews } from "@/components/shell/saved-views";
import { shortenMiddle } from "@/components/ui/escape";
import classes from "@/components/ui/filters.module.css";
import { PlainButton } from "@/components/ui/plain-button";
import { StateMark } from "@/components/ui/state-mark";
import { useShownTime } from "@/components/ui/timestamp";
import type { KeySummary } from "@/lib/lookup/schema";
import { choices, identifiers, type ListRequest } from "./list-query";
import { keyLook } from "./looks";

const FindWithoutKey = dynamic(() => import("./find-without-key").then(({ FindWithoutKey }) => FindWithoutKey), {
  ssr: false,
});

/** How far back the quick choices reach, in ms. */
const reaches = { hour: 3_600_000, day: 86_400_000, threeDays: 259_200_000, week: 604_800_000 } as const;

/** What narrows the list. Everything here is in the address, so that a link shows the same. */
export function ListFilters({ request, items }: { request: ListRequest; items: readonly KeySummary[] }) {
  const t = useTranslations("keys");
  const router = useRouter();
  const parameters = useSearchParams();
  const [finding, setFinding] = useState(false);
  const change = (changes: Parameters<typeof changeQuery>[1]) =>
    router.push(changeQuery(new URLSearchParams(parameters), changes), { scroll: false });
  const states = request.states ?? [];
  const toggle = (state: string) =>
    change({ state: states.includes(state) ? states.filter((one) => one !== state) : [...states, state] });
  const endpoint = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ endpoint: String(new FormData(event.currentTarget).get("endpoint") ?? "").trim() });
  };
  return (
    <div className={classes.filters}>
      <fieldset className={classes.line}>
        <legend className="visually-hidden">{t("filter.label")}</legend>
        {choices.states.map((state) => (
          <PlainButton key={state} aria-pressed={states.includes(state)} onClick={() => toggle(state)}>
            <StateMark look={keyLook({ state, phase: "live", stuck: false })} size={12} />
            {t(`state.${state}`)}
          </PlainButton>
        ))}
        <form onSubmit={endpoint} key={request.endpoint ?? ""}>
          <input
            name="endpoint"
            className={classes.field}
            defaultValue={request.endpoint ?? ""}
            placeholder={t("filter.endpoint")}
            aria-label={t("filter.endpoint")}
            list="endpoints"
            maxLength={512}
          />
          <datalist id="endpoints">
            {[...new Set(items.map((item) => item.endpoint))].map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </form>
        <select
          className={classes.field}
          aria-label={t("filter.phase")}
          value={request.phase ?? ""}
          onChange={(event) => change({ phase: event.target.value })}
        >
          <option value="">{t("filter.anyPhase")}</option>
          {choices.phases.map((phase) => (
            <option key={phase} value={phase}>
              {t(`phase.${phase}`)}
            </option>
          ))}
        </select>
        <select
          className={classes.field}
          aria-label={t("filter.status")}
          value={request.statusClass ?? ""}
          onChange={(event) => change({ status: event.target.value })}
        >
          <option value="">{t("filter.anyStatus")}</option>
          {choices.statusClasses.map((statusClass) => (
            <option key={statusClass}>{statusClass}</option>
          ))}
        </select>
        <select
          className={classes.field}
          aria-label={t("filter.time")}
          value=""
          onChange={(event) => {
            const reach = Object.entries(reaches).find(([name]) => name === event.target.value)?.[1];
            change({ from: reach === undefined ? null : startOf(reach), to: null });
          }}
        >
          <option value="">{t(request.from || request.to ? "filter.otherTime" : "filter.anyTime")}</option>
          {Object.keys(reaches).map((name) => (
            <option key={name} value={name}>
              {t(`filter.reach.${name}`)}
            </option>
          ))}
        </select>
        <PlainButton onClick={() => setFinding(true)}>{t("findWithoutKey")}</PlainButton>
        <SavedViews page="keys" />
      </fieldset>
      <Chips request={request} onDrop={(...names) => change(Object.fromEntries(names.map((name) => [name, null])))} />
      {finding ? (
        <FindWithoutKey
          onClose={() => setFinding(false)}
          onFind={(changes) => {
            setFinding(false);
            change(changes);
          }}
        />
      ) : null}
    </div>
  );
}

/** What was recognised in the search, and the times it is bound to; each can be taken off. */
function Chips({ request, onDrop }: { request: ListRequest; onDrop: (...names: string[]) => void }) {
  const t = useTranslations("keys");
  const shownTime = useShownTime();
  const moment = (at: string) => {
    const { date, time, zone } = shownTime(at, "minute");
    return `${date} ${time} ${zone}`;
  };
  const chips = [
    ...identifiers.flatMap((name) =>
      request[name] === undefined
        ? []
        : [{ names: [name as string], label: t(`reading.${name}`), value: shortenMiddle(request[name], 18, 6) }],
    ),
    ...(request.amount === undefined
      ? []
      : [
          {
            names: ["amount", "currency"],
            label: t("reading.amount"),
            value: `${request.amount} ${request.currency ?? ""}`,
          },
        ]),
    ...(request.from === undefined ? [] : [{ names: ["from"], label: t("filter.from"), value: moment(request.from) }]),
    ...(request.to === undefined ? [] : [{ names: ["to"], label: t("filter.to"), value: moment(request.to) }]),
    ...(request.endpoint === undefined
      ? []
      : [{ names: ["endpoint"], label: t("filter.endpoint"), value: request.endpoint }]),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t("recognised")}>
      {chips.map(({ names, label, value }) => (
        <li key={label} data-reading={names[0]}>
          <span>{label}</span> <bdi className="mono">{value}</bdi>
          <button type="button" aria-label={t("filter.remove", { what: label })} onClick={() => onDrop(...names)}>
            <IconX size={14} stroke={1.8} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function startOf(reachMs: number): string {
  return new Date(Math.floor((Date.now() - reachMs) / 60_000) * 60_000).toISOString();
}
