"use client";

import { signIn } from "next-auth/react";
import { useState } from "react";

export type SignInState = "idle" | "sending" | "refused" | "limited" | "unreachable";

/** Signs in, then loads a new document, so that nothing drawn for nobody stays in memory. */
export function useSignIn(provider: "password" | "link", next: string) {
  const [state, setState] = useState<SignInState>("idle");
  return {
    state,
    signIn: async (credentials: Record<string, string>) => {
      setState("sending");
      const result = await ask(provider, credentials);
      if (result === "ok") window.location.replace(next);
      else setState(result);
    },
  };
}

async function ask(provider: string, credentials: Record<string, string>): Promise<"ok" | SignInState> {
  try {
    const answer = await signIn(provider, { ...credentials, redirect: false });
    if (answer?.ok) return "ok";
    if (answer?.error === "rate_limited") return "limited";
    return answer?.status === 401 ? "refused" : "unreachable";
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return "unreachable";
    throw error;
  }
}
