"use client";

import IconBuilding from "@tabler/icons-react/icons/IconBuilding";
import IconMenu2 from "@tabler/icons-react/icons/IconMenu2";
import IconWorld from "@tabler/icons-react/icons/IconWorld";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTimeZone, useTranslations } from "next-intl";
import type { Me } from "@/lib/access/schema";
import { LanguageButton, ThemeButton } from "./appearance";
import { OperatorMenu } from "./operator-menu";
import type { PaletteMode } from "./palette";
import { RefreshControl } from "./refresh-control";
import { SearchBox } from "./search-box";
import { tenantsOptions } from "./tenants";
import classes from "./top-bar.module.css";

export interface Environment {
  name: string;
  /** Colours the edge of the bar: nobody takes production for anything else. */
  kind: "production" | "sandbox" | "other";
  mode: "observe" | "act" | "read_only";
}

interface TopBarProps {
  me: Me;
  environment: Environment;
  onOpen: (overlay: PaletteMode | "menu") => void;
}

/** Where am I, whose data is this, how old is it; and the search box. */
export function TopBar({ me, environment, onOpen }: TopBarProps) {
  const t = useTranslations("frame");
  const timeZone = useTimeZone() ?? "UTC";
  return (
    <header className={classes.bar} data-kind={environment.kind}>
      <button type="button" className={classes.menu} onClick={() => onOpen("menu")} aria-label={t("openMenu")}>
        <IconMenu2 size={20} stroke={1.6} />
      </button>
      <div className={classes.environment} title={t(`modeMeaning.${environment.mode}`)}>
        <strong>{environment.name}</strong>
        <span>{t(`mode.${environment.mode}`)}</span>
      </div>
      <ScopeButton onOpen={() => onOpen("tenants")} />
      <SearchBox />
      <div className={classes.tools}>
        <RefreshControl />
        <button
          type="button"
          className={classes.tool}
          onClick={() => onOpen("zones")}
          aria-label={t("timeZone", { zone: timeZone })}
          title={t("timeZone", { zone: timeZone })}
        >
          <IconWorld size={16} stroke={1.6} />
          <span className={classes.zone}>{timeZone.split("/").at(-1)?.replaceAll("_", " ")}</span>
        </button>
        <LanguageButton />
        <ThemeButton />
      </div>
      <OperatorMenu me={me} />
    </header>
  );
}

function ScopeButton({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations("frame");
  const tenantId = useSearchParams().get("tenant");
  const tenants = useQuery({ ...tenantsOptions(""), enabled: tenantId !== null });
  const name = tenants.data?.items.find(({ id }) => id === tenantId)?.name ?? tenantId?.slice(0, 8);
  return (
    <button
      type="button"
      className={classes.scope}
      onClick={onOpen}
      aria-label={t("scope", { name: name ?? t("allTenants") })}
    >
      <IconBuilding size={16} stroke={1.6} />
      <span>{name ?? t("allTenants")}</span>
    </button>
  );
}
