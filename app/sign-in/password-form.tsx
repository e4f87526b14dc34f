"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import classes from "./sign-in.module.css";
import { SignInProblem } from "./sign-in-problem";
import { useSignIn } from "./use-sign-in";

/** Signs in by e-mail address and password. What was typed stays when it is refused. */
export function PasswordForm({ next }: { next: string }) {
  const t = useTranslations("access");
  const { state, signIn } = useSignIn("password", next);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        signIn({ email: String(form.get("email")), password: String(form.get("password")) });
      }}
    >
      <h1>{t("title")}</h1>
      <TextInput name="email" type="email" label={t("email")} autoComplete="username" required autoFocus />
      <PasswordInput
        name="password"
        label={t("password")}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
        required
      />
      <SignInProblem state={state} refused={t("refused")} />
      <Button type="submit" loading={state === "sending"}>
        {t("signIn")}
      </Button>
      <p className={classes.note}>{t("lost")}</p>
    </form>
  );
}
