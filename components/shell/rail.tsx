"use client";

import IconLayoutSidebarLeftCollapse from "@tabler/icons-react/icons/IconLayoutSidebarLeftCollapse";
import IconLayoutSidebarLeftExpand from "@tabler/icons-react/icons/IconLayoutSidebarLeftExpand";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Logo } from "./logo";
import type { Place } from "./places";
import classes from "./rail.module.css";

interface RailProps {
  places: readonly Place[];
  collapsed: boolean;
  onCollapse: () => void;
  /** Shown over the page, on a narrow screen. */
  open: boolean;
  onClose: () => void;
}

/** The pages this operator may open. Icons alone when collapsed; a drawer on a narrow screen. */
export function Rail({ places, collapsed, onCollapse, open, onClose }: RailProps) {
  const t = useTranslations("frame");
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) drawer.current?.showModal();
    else drawer.current?.close();
  }, [open]);
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <>
      <nav className={classes.rail} aria-label={t("pages")} data-collapsed={collapsed || undefined}>
        <Brand />
        <PlaceList places={places} collapsed={collapsed} />
        <button type="button" className={classes.toggle} onClick={onCollapse} aria-expanded={!collapsed}>
          <Toggle size={18} stroke={1.5} />
          <span className={collapsed ? "visually-hidden" : undefined}>{t(collapsed ? "expand" : "collapse")}</span>
        </button>
      </nav>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; the click is one on its backdrop */}
      <dialog
        ref={drawer}
        className={classes.drawer}
        aria-label={t("pages")}
        onClose={onClose}
        onClick={(event) => event.target === event.currentTarget && onClose()}
      >
        <nav aria-label={t("pages")}>
          <Brand />
          <PlaceList places={places} collapsed={false} onGo={onClose} />
        </nav>
      </dialog>
    </>
  );
}

function Brand() {
  return (
    <Link href="/keys" className={classes.brand} aria-label="Idemdesk">
      <Logo />
      <span aria-hidden="true">Idemdesk</span>
    </Link>
  );
}

function PlaceList({ places, collapsed, onGo }: { places: readonly Place[]; collapsed: boolean; onGo?: () => void }) {
  const t = useTranslations("frame");
  const path = usePathname();
  const tenant = useSearchParams().get("tenant");
  return (
    <ul>
      {places.map(({ name, href, icon: Icon }) => (
        <li key={name}>
          <Link
            href={tenant ? `${href}?tenant=${encodeURIComponent(tenant)}` : href}
            className={classes.place}
            aria-current={path.startsWith(href) ? "page" : undefined}
            title={collapsed ? t(`place.${name}`) : undefined}
            onClick={onGo}
          >
            <Icon size={18} stroke={1.5} />
            <span className={collapsed ? "visually-hidden" : undefined}>{t(`place.${name}`)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
