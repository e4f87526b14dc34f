import { readdirSync, readFileSync } from "node:fs";
import { createTranslator, type Messages } from "use-intl/core";
import { describe, expect, it } from "vitest";
import { locales } from "@/lib/i18n/locale";
import { namespaces } from "@/lib/i18n/messages";

type Tree = { [name: string]: string | Tree };

function read(locale: string, namespace: string): Tree {
  return JSON.parse(readFileSync(`lib/i18n/messages/${locale}/${namespace}.json`, "utf8"));
}

function leaves(tree: Tree, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string" ? [[path + name, value]] : leaves(value, `${path}${name}.`),
  );
}

/** Names between braces, so that no language forgets what a sentence is about. */
function parameters(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name))].sort();
}

describe("messages", () => {
  it("has a file for every namespace, and no others, in every language", () => {
    for (const locale of locales) {
      const files = readdirSync(`lib/i18n/messages/${locale}`).map((file) => file.replace(".json", ""));
      expect(files.sort(), locale).toEqual([...namespaces].sort());
    }
  });

  it.each(namespaces)("says the same things in both languages: %s", (namespace) => {
    const [en, zh] = [read("en", namespace), read("zh", namespace)].map((tree) =>
      leaves(tree)
        .map(([path]) => path)
        .sort(),
    );
    expect(zh).toEqual(en);
  });

  it.each(namespaces.flatMap((namespace) => locales.map((locale) => [locale, namespace] as const)))(
    "parses every message: %s %s",
    (locale, namespace) => {
      const failures: string[] = [];
      const tree = read(locale, namespace);
      const onError = (error: Error) => void failures.push(error.message);
      const messages: Messages = { [namespace]: tree };
      const t = createTranslator({ locale, messages, onError });
      for (const [path, message] of leaves(tree)) {
        t(`${namespace}.${path}`, Object.fromEntries(parameters(message).map((name) => [name, 2])));
      }
      expect(failures).toEqual([]);
    },
  );
});
