"use client";

import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import classes from "../sign-in.module.css";
import { SignInProblem } from "../sign-in-problem";
import { useSignIn } from "../use-sign-in";

/** Signs in by the secret behind the address's `#`, which is then taken off the address and out of the history. */
export function LinkForm() {
  const t = useTranslations("access");
  const [secret, setSecret] = useState<string | null>(null);
  const { state, signIn } = useSignIn("link", "/sign-in/password");
  useEffect(() => {
    setSecret(window.location.hash.slice(1));
    // Later than the router's own effects, which write the address as it was.
    const timer = setTimeout(() => window.history.replaceState(null, "", window.location.pathname));
    return () => clearTimeout(timer);
  }, []);
  const missing = secret === "";
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (secret) signIn({ secret });
      }}
    >
      <h1>{t("title")}</h1>
      <p className={classes.note}>{missing ? t("linkIncomplete") : t("linkMeaning")}</p>
      <SignInProblem state={state} refused={t("linkRefused")} />
      <Button type="submit" loading={state === "sending"} disabled={!secret || state === "refused"}>
        {t("signIn")}
      </Button>
    </form>
  );
}
