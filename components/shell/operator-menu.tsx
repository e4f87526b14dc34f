"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import type { Me } from "@/lib/access/schema";
import classes from "./operator-menu.module.css";

/** Who is signed in, with which roles, and the way out. */
export function OperatorMenu({ me }: { me: Me }) {
  const t = useTranslations("frame");
  const menu = useRef<HTMLDivElement>(null);
  const roles = [...new Set(me.roles.map(({ role }) => role))];
  return (
    <div className={classes.operator}>
      <button type="button" className={classes.initials} popoverTarget="operator-menu">
        {initials(me.name)} <span className="visually-hidden">{t("operator", { name: me.name })}</span>
      </button>
      <div ref={menu} id="operator-menu" popover="auto" className={classes.menu}>
        <p className={classes.name}>{me.name}</p>
        {me.email === null ? null : <p className={classes.detail}>{me.email}</p>}
        <p className={classes.detail}>{roles.map((role) => t(`role.${role}`)).join(" · ")}</p>
        <button type="button" className={classes.out} onClick={signOutHard}>
          {t("signOut")}
        </button>
      </div>
    </div>
  );
}

/** Ends the session and loads a new document, so that nothing of this one stays in memory. */
async function signOutHard(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ redirect: false });
  window.location.replace("/sign-in");
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? "?")][0] ?? "?";
  const last = words.length > 1 ? ([...(words.at(-1) ?? "")][0] ?? "") : "";
  return (first + last).toUpperCase();
}
