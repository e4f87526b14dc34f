import { preferenceCookie, type preferenceCookies } from "@/lib/i18n/preferences";

/** Keeps a choice for this browser; the server reads it on the next request. */
export function keepPreference(name: keyof typeof preferenceCookies, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing over plain http and in older browsers
  document.cookie = preferenceCookie(name, value);
}
