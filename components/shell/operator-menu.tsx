"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { Me } from "@/lib/access/schema";
import classes from "./operator-menu.module.css";

/** Who is signed in, with which roles, and the way out. */
export function OperatorMenu({ me }: { me: Me }) {
  const t = useTranslations("frame");
  const leaving = useMutation({ mutationFn: signOutHard, networkMode: "always" });
  const roles = [...new Set(me.roles.map(({ role }) => role))];
  return (
    <div className={classes.operator}>
      <button type="button" className={classes.initials} popoverTarget="operator-menu">
        {initials(me.name)} <span className="visually-hidden">{t("operator", { name: me.name })}</span>
      </button>
      <div id="operator-menu" popover="auto" className={classes.menu}>
        <p className={classes.name}>{me.name}</p>
        {me.email === null ? null : <p className={classes.detail}>{me.email}</p>}
        <p className={classes.detail}>{roles.map((role) => t(`role.${role}`)).join(" · ")}</p>
        {leaving.isError ? (
          <p role="alert" className={classes.problem}>
            {t("signOutFailed")}
          </p>
        ) : null}
        <button type="button" className={classes.out} disabled={leaving.isPending} onClick={() => leaving.mutate()}>
          {t("signOut")}
        </button>
      </div>
    </div>
  );
}

/**
 * Ends the session and loads a new document, so that nothing of this one stays in memory. Throws where the session is
 * not proved over: NextAuth answers a sign-out it refused like one it did, so the session itself is asked for.
 */
async function signOutHard(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ redirect: false });
  const left = await fetch("/api/auth/session", { cache: "no-store" });
  if (!left.ok || Object.keys(await left.json()).length > 0) throw new Error("The session is not over.");
  window.location.replace("/sign-in");
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? "?")][0] ?? "?";
  const last = words.length > 1 ? ([...(words.at(-1) ?? "")][0] ?? "") : "";
  return (first + last).toUpperCase();
}
