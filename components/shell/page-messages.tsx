import { NextIntlClientProvider } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import type { Namespace } from "@/lib/i18n/messages";

/** Sends the browser the messages its page speaks, and no others. */
export async function PageMessages({ only, children }: { only: readonly Namespace[]; children: ReactNode }) {
  const all: Record<string, unknown> = await getMessages();
  const messages = Object.fromEntries(only.map((namespace) => [namespace, all[namespace]]));
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
