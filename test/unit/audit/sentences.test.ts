import { createTranslator } from "use-intl/core";
import { describe, expect, test } from "vitest";
import { AuditAction } from "@/lib/audit/rules";
import en from "@/lib/i18n/messages/en/audit.json";
import zh from "@/lib/i18n/messages/zh/audit.json";

/** Everything any entry's details may hold. */
const params = {
  actor: "Ann",
  target: "t-1",
  outcome: "done",
  method: "link",
  email: "bob@desk.test",
  role: "support",
  tenants: "all",
  hours: 24,
  name: "Mine",
  code: "forbidden",
  what: "body",
};

describe.each([
  ["en", en],
  ["zh", zh],
] as const)("%s", (locale, messages) => {
  const t = createTranslator({ locale, messages: { audit: messages }, namespace: "audit" });

  test.each(AuditAction.options)("%s has a sentence that says who, and a name", (action) => {
    const sentence = t(`sentence.${action.replace(".", "_")}` as never, params as never) as string;
    if (action !== "operator.sign_in_refused") expect(sentence).toContain("Ann");
    expect(sentence).not.toMatch(/[{}]|audit\.|sentence/);
    expect(Object.keys(messages.action)).toContain(action.replace(".", "_"));
  });

  test("nothing is said of what is not audited", () => {
    const known = AuditAction.options.map((action) => action.replace(".", "_")).sort();
    expect(Object.keys(messages.sentence).sort()).toEqual([...known, "unknown"].sort());
    expect(Object.keys(messages.action).sort()).toEqual(known);
  });
});
