"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { FindProvider } from "@/components/keys/find";
import type { Me } from "@/lib/access/schema";
import type { Preferences } from "@/lib/i18n/preferences";
import classes from "./frame.module.css";
import { MeProvider } from "./me";
import type { PaletteMode } from "./palette";
import { placesFor } from "./places";
import { keepPreference } from "./preference";
import { Rail } from "./rail";
import { RefreshProvider } from "./refresh";
import { type Environment, TopBar } from "./top-bar";
import { useChords } from "./use-chords";

const Palette = dynamic(() => import("./palette").then(({ Palette }) => Palette), { ssr: false });
const ShortcutSheet = dynamic(() => import("./shortcut-sheet").then(({ ShortcutSheet }) => ShortcutSheet), {
  ssr: false,
});

interface FrameProps {
  me: Me;
  environment: Environment;
  preferences: Preferences;
  children: ReactNode;
}

type Overlay = PaletteMode | "shortcuts" | "menu" | null;

/** What stands around every signed-in page: rail, top bar, palette and shortcuts. */
export function Frame({ me, environment, preferences, children }: FrameProps) {
  const router = useRouter();
  const places = placesFor(me.rights);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [collapsed, setCollapsed] = useState(preferences.railCollapsed);
  useSignedOutCheck();
  useChords({
    "mod+k": () => setOverlay("commands"),
    "?": () => setOverlay("shortcuts"),
    "/": () => document.querySelector<HTMLInputElement>("#find")?.focus(),
    ...Object.fromEntries(places.map(({ letter, href }) => [`g ${letter}`, () => router.push(href)])),
  });
  const collapse = () => {
    setCollapsed(!collapsed);
    keepPreference("railCollapsed", collapsed ? "0" : "1");
  };
  return (
    <MeProvider me={me}>
      <RefreshProvider initialSeconds={preferences.refreshSeconds}>
        <FindProvider>
          <div className={classes.frame} data-collapsed={collapsed || undefined}>
            <Rail
              places={places}
              collapsed={collapsed}
              onCollapse={collapse}
              open={overlay === "menu"}
              onClose={() => setOverlay(null)}
            />
            <TopBar me={me} environment={environment} onOpen={setOverlay} />
            <main id="main" className={classes.main} tabIndex={-1}>
              {children}
            </main>
          </div>
          {overlay === "shortcuts" ? <ShortcutSheet places={places} onClose={() => setOverlay(null)} /> : null}
          {overlay === "commands" || overlay === "tenants" || overlay === "zones" ? (
            <Palette mode={overlay} places={places} onMode={setOverlay} onClose={() => setOverlay(null)} />
          ) : null}
        </FindProvider>
      </RefreshProvider>
    </MeProvider>
  );
}

/** A page kept in memory may be shown after sign-out: it is kept hidden, and asked for again before anyone reads it. */
function useSignedOutCheck(): void {
  useEffect(() => {
    const hideIfKept = (event: PageTransitionEvent) => {
      if (event.persisted) document.documentElement.style.visibility = "hidden";
      return event.persisted;
    };
    const onPageShow = (event: PageTransitionEvent) => {
      if (hideIfKept(event)) window.location.reload();
    };
    window.addEventListener("pagehide", hideIfKept);
    window.addEventListener("pageshow", onPageShow);
    return () => {
      window.removeEventListener("pagehide", hideIfKept);
      window.removeEventListener("pageshow", onPageShow);
    };
  }, []);
}
