"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { PlainButton } from "@/components/ui/plain-button";
import { useShownTime } from "@/components/ui/timestamp";
import { MessagePage } from "./message-page";

/** How often the desk asks whether it can serve again, in ms: soon enough to wait for, seldom enough for many tabs. */
const ASK_EVERY_MS = 3_000;

type Standing = "asking" | "waiting" | "broken";

/** Stands where a page failed. While the desk itself is not ready it waits and goes on alone; else the fault is the page's. */
export function Outage({ number, onRecovered }: { number: string | undefined; onRecovered: () => void }) {
  const t = useTranslations("errors");
  const shownTime = useShownTime();
  const [standing, setStanding] = useState<Standing>("asking");
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    let waited = false;
    const ask = async () => {
      const ready = await isReady();
      setAsked(new Date().toISOString());
      if (ready && waited) onRecovered();
      else setStanding(ready ? "broken" : "waiting");
      waited ||= !ready;
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [onRecovered]);
  if (standing === "asking") return null;
  if (standing === "waiting") {
    return (
      <MessagePage title={t("waiting.title")}>
        <p>{t("waiting.meaning")}</p>
        <p>{t("waiting.next")}</p>
        <p role="status">{asked === null ? "" : t("waiting.asked", { time: shownTime(asked, "second").time })}</p>
      </MessagePage>
    );
  }
  return (
    <MessagePage title={t("broken.title")}>
      <p>{t("broken.meaning")}</p>
      <p>{t("broken.next")}</p>
      {number === undefined ? null : (
        <small>
          {t("broken.number")} <code>{number}</code>
        </small>
      )}
      <PlainButton onClick={onRecovered}>{t("broken.again")}</PlainButton>
    </MessagePage>
  );
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch("/readyz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
