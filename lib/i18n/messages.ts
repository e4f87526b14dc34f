import type { Locale } from "./locale";

export const namespaces = [
  "ui",
  "errors",
  "access",
  "audit",
  "frame",
  "keys",
  "key",
  "ledger",
  "verdict",
  "hints",
  "lookup",
] as const;
export type Namespace = (typeof namespaces)[number];

/** All messages of one language, by namespace. The browser is sent only the namespaces its page names. */
export async function loadMessages(locale: Locale): Promise<Record<string, unknown>> {
  const files = await Promise.all(namespaces.map((namespace) => import(`./messages/${locale}/${namespace}.json`)));
  return Object.fromEntries(namespaces.map((namespace, index) => [namespace, files[index].default]));
}
