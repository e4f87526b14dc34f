import { describe, expect, it } from "vitest";
import { negotiateLocale } from "@/lib/i18n/locale";
import { readMoney } from "@/lib/i18n/money";
import { parsePreferences, preferenceCookies } from "@/lib/i18n/preferences";

describe("negotiateLocale", () => {
  it.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    ["de-DE,de;q=0.9,en;q=0.3,zh;q=0.5", "zh"],
    ["en;q=0, zh", "zh"],
    ["fr", "en"],
    [null, "en"],
    [";;;,,q=", "en"],
  ])("reads %s", (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale);
  });
});

describe("parsePreferences", () => {
  it("keeps what is one of the choices and drops the rest", () => {
    const cookies: Record<string, string> = {
      [preferenceCookies.locale]: "zh",
      [preferenceCookies.timeZone]: "Mars/Olympus",
      [preferenceCookies.refreshSeconds]: "7",
      [preferenceCookies.railCollapsed]: "1",
    };
    expect(parsePreferences((name) => cookies[name])).toEqual({
      locale: "zh",
      timeZone: null,
      refreshSeconds: 10,
      railCollapsed: true,
    });
  });
});

describe("readMoney", () => {
  it.each([
    ["42", "EUR", 4_200],
    ["42.5", "EUR", 4_250],
    ["1,250.00", "USD", 125_000],
    ["4200", "JPY", 4_200],
    ["1.234", "KWD", 1_234],
    ["1.5", "JPY", null],
    ["1.234", "EUR", null],
    ["-3", "EUR", null],
    ["4e2", "EUR", null],
    ["42", "nope", null],
    ["99999999999999999", "EUR", null],
  ])("reads %s %s", (text, currency, minor) => {
    expect(readMoney(text, currency)).toBe(minor);
  });
});
