import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shownProblem } from "@/components/ui/problem";
import { Problem } from "@/lib/http/client";
import { errorCodes } from "@/lib/http/errors";
import { locales } from "@/lib/i18n/locale";

function problem(code: string): Problem {
  return new Problem(code, 400, "In English.", false, "req-1");
}

describe("shownProblem", () => {
  it.each(locales)("has sentences for every code of the desk: %s", (locale) => {
    const { problem: sentences } = JSON.parse(readFileSync(`lib/i18n/messages/${locale}/ui.json`, "utf8"));
    for (const code of [...errorCodes, "unreachable"]) {
      const told = sentences[shownProblem(problem(code)).kind];
      expect(told, code).toEqual({ title: expect.any(String), advice: expect.any(String) });
    }
  });

  it("keeps the English detail only where the sentences are general", () => {
    expect(shownProblem(problem("not_found")).detail).toBeNull();
    expect(shownProblem(problem("conflict")).detail).toBe("In English.");
  });

  it("tells a code it does not know, or an error without one, as `other`", () => {
    expect(shownProblem(problem("of_a_newer_desk"))).toEqual({
      kind: "other",
      detail: "In English.",
      requestId: "req-1",
    });
    expect(shownProblem(new Error("internals"))).toEqual({ kind: "other", detail: null, requestId: null });
  });
});
