import { isLocale, type Locale } from "./locale";

/** What an operator chose on this browser, kept in cookies so that the server draws the page as they left it. */
export interface Preferences {
  locale: Locale | null;
  timeZone: string | null;
  /** Seconds between refreshes; 0 is off. */
  refreshSeconds: number;
  railCollapsed: boolean;
}

export const preferenceCookies = {
  locale: "idemdesk-locale",
  timeZone: "idemdesk-zone",
  refreshSeconds: "idemdesk-refresh",
  railCollapsed: "idemdesk-rail",
} as const;

export const refreshChoices = [0, 5, 10, 30, 60] as const;

const DEFAULT_REFRESH_SECONDS = 10;
const ONE_YEAR_S = 31_536_000;

/** Reads the cookies; whatever is not one of the choices counts as not chosen. */
export function parsePreferences(cookie: (name: string) => string | undefined): Preferences {
  const locale = cookie(preferenceCookies.locale);
  const timeZone = cookie(preferenceCookies.timeZone);
  const seconds = refreshChoices.find((choice) => String(choice) === cookie(preferenceCookies.refreshSeconds));
  return {
    locale: isLocale(locale) ? locale : null,
    timeZone: isTimeZone(timeZone) ? timeZone : null,
    refreshSeconds: seconds ?? DEFAULT_REFRESH_SECONDS,
    railCollapsed: cookie(preferenceCookies.railCollapsed) === "1",
  };
}

/** True for a time zone this runtime can compute with. */
export function isTimeZone(name: string | undefined): name is string {
  if (name === undefined || name === "") return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The `document.cookie` text that keeps one preference for a year. */
export function preferenceCookie(name: keyof typeof preferenceCookies, value: string): string {
  return `${preferenceCookies[name]}=${encodeURIComponent(value)}; path=/; max-age=${ONE_YEAR_S}; samesite=lax`;
}
