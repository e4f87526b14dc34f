import { describe, expect, it } from "vitest";
import { escapeUnseen, shortenMiddle } from "@/components/ui/escape";

const shown = (text: string) =>
  escapeUnseen(text)
    .map((run) => run.text)
    .join("");

describe("escapeUnseen", () => {
  it.each([
    ["pay\u202e321", "pay\\u{202e}321"],
    ["a\u200bb", "a\\u{200b}b"],
    ["a\tb\n", "a\\u{9}b\\u{a}"],
    ["a\u00a0b", "a\\u{a0}b"],
    ["\u{e0001}x", "\\u{e0001}x"],
    ["plain key-1_2", "plain key-1_2"],
    ["订单 42", "订单 42"],
  ])("spells what cannot be seen: %j", (text, spelled) => {
    expect(shown(text)).toBe(spelled);
  });

  it("tells look-alikes of different bytes apart", () => {
    expect(shown("a\u200bb")).not.toBe(shown("ab"));
  });

  it("marks the escaped runs and joins the others", () => {
    expect(escapeUnseen("ab\u200bcd")).toEqual([
      { text: "ab", escaped: false },
      { text: "\\u{200b}", escaped: true },
      { text: "cd", escaped: false },
    ]);
  });
});

describe("shortenMiddle", () => {
  it("keeps both ends of a digest and all of a short text", () => {
    expect(shortenMiddle("9f86d081884c7d65")).toBe("9f86d081…7d65");
    expect(shortenMiddle("req_42")).toBe("req_42");
  });
});
