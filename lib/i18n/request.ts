import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { negotiateLocale } from "./locale";
import { loadMessages } from "./messages";
import { parsePreferences } from "./preferences";

/** Zone of every time on the page until the operator chooses one: the database's own. */
export const DEFAULT_TIME_ZONE = "UTC";

export default getRequestConfig(async () => {
  const [jar, header] = await Promise.all([cookies(), headers()]);
  const { locale: chosen, timeZone } = parsePreferences((name) => jar.get(name)?.value);
  const locale = chosen ?? negotiateLocale(header.get("accept-language"));
  return { locale, timeZone: timeZone ?? DEFAULT_TIME_ZONE, messages: await loadMessages(locale) };
});
