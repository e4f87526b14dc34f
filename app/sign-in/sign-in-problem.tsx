"use client";

import { useTranslations } from "next-intl";
import classes from "./sign-in.module.css";
import type { SignInState } from "./use-sign-in";

/** Why signing in did not work, read out when it appears. `refused` is the form's own sentence. */
export function SignInProblem({ state, refused }: { state: SignInState; refused: string }) {
  const t = useTranslations("access");
  if (state === "idle" || state === "sending") return null;
  return (
    <p role="alert" className={classes.problem}>
      {state === "refused" ? refused : t(state)}
    </p>
  );
}
