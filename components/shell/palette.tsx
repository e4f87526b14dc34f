"use client";

import { useMantineColorScheme } from "@mantine/core";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTimeZone, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useFind } from "@/components/keys/find";
import type { Place } from "./places";
import { keepPreference } from "./preference";
import { useHoldRefresh } from "./refresh";
import { tenantsOptions } from "./tenants";

export type PaletteMode = "commands" | "tenants" | "zones";

interface PaletteProps {
  mode: PaletteMode;
  places: readonly Place[];
  onMode: (mode: PaletteMode) => void;
  onClose: () => void;
}

interface Choice {
  id: string;
  label: string;
  detail?: string;
  act: () => void;
  /** Stays open: it leads to another list. */
  leads?: boolean;
}

const [store, spotlight] = createSpotlight();

/** Go anywhere, find anything, change what is looked at. Each list filters by what is typed. */
export function Palette({ mode, places, onMode, onClose }: PaletteProps) {
  const t = useTranslations("frame");
  const [query, setQuery] = useState("");
  useHoldRefresh("palette", true);
  useEffect(() => spotlight.open(), []);
  const commands = useCommands(query, places, onMode);
  const tenants = useTenantChoices(query, mode === "tenants");
  const zones = useZoneChoices(query, mode === "zones");
  const choices = { commands, tenants, zones }[mode];
  return (
    <Spotlight.Root
      key={mode}
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      attributes={{ content: { "aria-label": t(`palette.${mode}`) } }}
      radius="md"
      scrollable
      maxHeight={380}
    >
      <Spotlight.Search placeholder={t(`palette.${mode}`)} aria-label={t(`palette.${mode}`)} />
      <Spotlight.ActionsList>
        {choices.map(({ id, label, detail, act, leads }) => (
          <Spotlight.Action
            key={id}
            label={label}
            description={detail ?? ""}
            closeSpotlightOnTrigger={!leads}
            onClick={() => {
              if (leads) setQuery("");
              act();
            }}
          />
        ))}
        {choices.length === 0 ? <Spotlight.Empty>{t("palette.nothing")}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useCommands(query: string, places: readonly Place[], onMode: (mode: PaletteMode) => void): Choice[] {
  const t = useTranslations("frame");
  const router = useRouter();
  const tenantId = useSearchParams().get("tenant") ?? undefined;
  const { find } = useFind();
  const { setColorScheme } = useMantineColorScheme();
  const text = query.trim();
  const language = (locale: string) => () => {
    keepPreference("locale", locale);
    router.refresh();
  };
  const fixed: Choice[] = [
    ...places.map(({ name, href }) => ({ id: name, label: t(`place.${name}`), act: () => router.push(href) })),
    { id: "tenants", label: t("command.scope"), leads: true, act: () => onMode("tenants") },
    { id: "zones", label: t("command.zone"), leads: true, act: () => onMode("zones") },
    ...(["auto", "light", "dark"] as const).map((scheme) => ({
      id: scheme,
      label: t(`theme.${scheme}`),
      act: () => setColorScheme(scheme),
    })),
    { id: "en", label: "English", act: language("en") },
    { id: "zh", label: "中文", act: language("zh") },
  ];
  const matching = fixed.filter(({ label }) => contains(label, text));
  if (text === "") return matching;
  return [
    ...matching,
    { id: "find", label: t("command.find"), detail: t("command.findDetail"), act: () => void find(text, tenantId) },
  ];
}

function useTenantChoices(query: string, active: boolean): Choice[] {
  const t = useTranslations("frame");
  const router = useRouter();
  const path = usePathname();
  const parameters = useSearchParams();
  const { data } = useQuery({ ...tenantsOptions(query.trim()), enabled: active });
  const choose = (id: string | null) => () => {
    const list = path.split("/").slice(0, 2).join("/");
    const next = new URLSearchParams(path === list ? parameters : {});
    next.delete("tenant");
    if (id) next.set("tenant", id);
    router.push(`${list}?${next}`);
  };
  const every = { id: "every", label: t("allTenants"), act: choose(null) };
  const found = (data?.items ?? []).map(({ id, name }) => ({ id, label: name, detail: id, act: choose(id) }));
  return query.trim() === "" ? [every, ...found] : found;
}

function useZoneChoices(query: string, active: boolean): Choice[] {
  const t = useTranslations("frame");
  const router = useRouter();
  const current = useTimeZone();
  if (!active) return [];
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const first = [...new Set(["UTC", here])];
  const rest = Intl.supportedValuesOf("timeZone").filter((zone) => !first.includes(zone));
  return [...first, ...rest]
    .filter((zone) => contains(zone.replaceAll("_", " "), query.trim().replaceAll("_", " ")))
    .slice(0, 60)
    .map((zone) => ({
      id: zone,
      label: zone.replaceAll("_", " "),
      detail: zone === current ? t("palette.current") : zone === here ? t("palette.here") : "",
      act: () => {
        keepPreference("timeZone", zone);
        router.refresh();
      },
    }));
}

function contains(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase());
}
