"use client";

import { Anchor, Button, PasswordInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { z } from "zod";
import { ProblemCard } from "@/components/ui/problem-card";
import { createSubmit, Problem } from "@/lib/http/client";
import classes from "../sign-in.module.css";

const Done = z.object({ hasPassword: z.boolean() });

/** Sets one's own password; where one is set already it has to be given. */
export function NewPasswordForm({ email, change }: { email: string; change: boolean }) {
  const t = useTranslations("access");
  const { problem, sending, send } = useNewPassword();
  return (
    <form className={classes.form} onSubmit={send}>
      <h1>{change ? t("changeTitle") : t("setTitle")}</h1>
      <p className={classes.note}>{t("setMeaning", { email })}</p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {change ? <PasswordInput name="current" label={t("current")} autoComplete="current-password" required /> : null}
      <PasswordInput
        name="next"
        label={t("next")}
        description={t("nextRule")}
        classNames={{ description: classes.note }}
        autoComplete="new-password"
        minLength={12}
        maxLength={200}
        required
        autoFocus
      />
      {problem === null ? null : problem.errors[0]?.pointer === "/body/current" ? (
        <p role="alert" className={classes.problem}>
          {t("currentWrong")}
        </p>
      ) : (
        <ProblemCard error={problem} />
      )}
      <Button type="submit" loading={sending}>
        {t("save")}
      </Button>
      {change ? null : <Anchor href="/">{t("later")}</Anchor>}
    </form>
  );
}

function useNewPassword() {
  const [submit] = useState(createSubmit);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSending(true);
    try {
      await submit("PUT", "/me/password", contentOf(new FormData(event.currentTarget)), Done);
      window.location.replace("/");
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      setSending(false);
    }
  };
  return { problem, sending, send };
}

function contentOf(form: FormData) {
  const current = form.get("current");
  return { next: String(form.get("next")), ...(current !== null && { current: String(current) }) };
}
