import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Reader } from "@/lib/i18n/locale";
import { locales } from "@/lib/i18n/locale";
import { hintsOf } from "@/lib/lookup/rules/hints";
import { verdictOf } from "@/lib/lookup/rules/verdict";
import { hintCodes, RetryNow, verdictCodes } from "@/lib/lookup/schema";
import { spell, spellMoney } from "@/lib/lookup/sentences";
import { speaker } from "@/lib/lookup/speaker";
import { event, executed, picture, row, twin } from "@/test/factories/lookup-story";

type Messages = { [name: string]: string | Messages };

const read = (locale: string, name: string): Messages =>
  JSON.parse(readFileSync(`lib/i18n/messages/${locale}/${name}.json`, "utf8"));

function paths(messages: Messages, before = ""): string[] {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === "string" ? [`${before}${name}`] : paths(value, `${before}${name}.`),
  );
}

test.each(["verdict", "hints", "lookup"])("%s: both languages say the same things", (name) => {
  expect(paths(read("zh", name)).sort()).toEqual(paths(read("en", name)).sort());
});

test("every code of a verdict, a hint and a retry has its sentence, and a verdict one for the customer", () => {
  const { customer, ...verdicts } = read("en", "verdict");
  expect(Object.keys(verdicts)).toEqual(expect.arrayContaining([...verdictCodes]));
  expect(Object.keys(customer as Messages).sort()).toEqual([...verdictCodes].sort());
  expect(Object.keys(read("en", "hints")).sort()).toEqual([...hintCodes].sort());
  expect(Object.keys(read("en", "lookup").retryNow as Messages).sort()).toEqual(
    [...RetryNow.shape.outcome.options].sort(),
  );
});

const stories = [
  picture(),
  picture({ events: [], twinsChecked: false }),
  picture({ row: row({ state: "unknown" }), caseId: "C-7" }),
  picture({ row: row({ state: "in_progress", responseStatus: null }) }),
  picture({ twins: [twin(60)], events: [...executed(0), event(9_000, "replayed"), event(19_000, "replayed")] }),
  picture({ row: null, events: [...executed(0), event(99, "cleaned", { source: "run 7" })] }),
  picture({ row: row({ responseStatus: 500 }), events: [...executed(0), ...executed(90_000_000)] }),
];

describe.each(locales)("in %s", (locale) => {
  const reader: Reader = { locale, timeZone: "America/New_York" };

  test("whole stories are said without a gap or a raw code", () => {
    for (const told of stories) {
      const verdict = verdictOf(told);
      if (!verdict) throw new Error("a story without a verdict");
      const said = speaker(reader).verdict(verdict);
      const texts = [said.sentence, ...said.facts.map(({ text }) => text)];
      texts.push(...hintsOf(told).map((hint) => speaker(reader).hint(hint).text));
      for (const text of texts) expect(text).not.toMatch(/[{}]|undefined|verdict\.|hints\.|lookup\./);
    }
  });

  test("times are in the reader's zone, with it", () => {
    const { at } = spell({ at: { time: "2026-11-01T06:30:00.000000Z" } }, reader);
    expect(at).toContain("01:30:00");
    expect(at).toContain("−05:00");
  });
});

test.each([
  [4200, "EUR", "EUR 42.00"],
  [4200, "JPY", "JPY 4,200"],
  [4200, "KWD", "KWD 4.200"],
  [-5, "EUR", "-EUR 0.05"],
  ["9007199254740993", "EUR", "EUR 90,071,992,547,409.93"],
])("%s minor units of %s", (amount, currency, shown) => {
  expect(spellMoney(amount, currency, "en").replaceAll("\u00a0", " ")).toBe(shown);
});
