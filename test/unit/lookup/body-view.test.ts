import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_SHOWN, viewBody } from "@/lib/lookup/rules/body-view";
import { headerPairs, maskedHeaders } from "@/lib/lookup/rules/headers";
import { layOutJson } from "@/lib/lookup/rules/json-layout";
import { isCard, maskText } from "@/lib/lookup/rules/mask";

const open = { limit: 1_000_000, mask: false };
const bytes = (text: string) => new TextEncoder().encode(text);
const show = (body: Uint8Array, mask = false, pointers: string[] = []) => viewBody(body, { mask, pointers });

describe("JSON is laid out token by token", () => {
  test("numbers and strings keep their spelling", () => {
    const json = '{"id":9007199254740993,"amount":42.10,"big":1e400,"name":"\\u00e9\\/","a":[],"o":{},"l":[1,-0]}';
    expect(layOutJson(json, open)?.text.trim()).toBe(
      '{\n  "id": 9007199254740993,\n  "amount": 42.10,\n  "big": 1e400,\n  "name": "\\u00e9\\/",\n  "a": [],\n  "o": {},\n  "l": [\n    1,\n    -0\n  ]\n}',
    );
  });

  test("duplicate members are both shown", () => {
    expect(layOutJson('{"a":1,"a":2}', open)?.text).toContain('"a": 1,\n  "a": 2');
  });

  test("means the same as what was sent, whatever it is", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const text = layOutJson(json, open)?.text ?? "null";
        expect(JSON.parse(text)).toEqual(JSON.parse(json));
        expect(text.replace(/\s/g, "")).toBe(json.replace(/\s/g, ""));
      }),
    );
  });

  test.each([["<html>"], ["{'a':1}"], ["{]"], ["]"], [""], ["[".repeat(5_000)], ['"open'], ["{1:2}"]])(
    "%s is no JSON",
    (text) => {
      expect(layOutJson(text, open)).toBeNull();
    },
  );
});

describe("masking", () => {
  test("card numbers by their check digit, tokens, addresses; other numbers stay", () => {
    const { text, count } = maskText(
      "4242 4242 4242 4242, 4242424242424241, Bearer abcdefgh12345, li@example.com, 1234567890123456",
    );
    expect(text).toBe("••••4242, 4242424242424241, Bearer ••••, ••••, 1234567890123456");
    expect(count).toBe(3);
  });

  test("a card as a JSON number, an address hidden by escapes, a configured pointer with all below it", () => {
    const json = '{"card":4242424242424242,"mail":"li\\u0040example.com","secret":{"a":[1,{"b":2}]},"kept":1}';
    const view = show(bytes(json), true, ["/secret"]);
    expect(view).toMatchObject({ view: "json", maskedValues: 3 });
    expect(JSON.parse(view.text)).toEqual({ card: "••••4242", mail: "••••", secret: "••••", kept: 1 });
  });

  test("a reader of masked bodies gets no binary", () => {
    expect(show(new Uint8Array([0, 0x80, 0xff]), true)).toMatchObject({ view: "none", problem: "masked", text: "" });
  });

  test("a secret at the edge of what is shown is not cut open", () => {
    const text = `${"x".repeat(MOST_SHOWN - 8)} 4242424242424242`;
    expect(show(bytes(text), true).text).not.toContain("4242424");
  });

  test("one digit repeated is no card", () => {
    expect(isCard("0000000000000000")).toBe(false);
  });
});

describe("what a body is shown as", () => {
  test("binary as hexadecimal", () => {
    expect(show(new Uint8Array([0x00, 0x80, 0xff, 0x41])).text).toBe(`00000000  00 80 ff 41${" ".repeat(36)}  ...A`);
  });

  test("markup stays text", () => {
    expect(show(bytes("<script>alert(1)</script>"))).toMatchObject({ view: "text", text: "<script>alert(1)</script>" });
  });

  test("a long body is cut, and says so", () => {
    expect(show(bytes("long ".repeat(MOST_SHOWN)))).toMatchObject({ view: "text", truncated: true });
    const json = JSON.stringify(Array.from({ length: 200_000 }, (_, n) => n));
    const view = show(bytes(json));
    expect(view.truncated).toBe(true);
    expect(view.text.length).toBeLessThanOrEqual(MOST_SHOWN);
  });
});

describe("headers in any shape", () => {
  test.each([
    ["nothing", null, []],
    [
      "pairs",
      [
        ["A", "1"],
        ["A", "2"],
      ],
      [
        ["A", "1"],
        ["A", "2"],
      ],
    ],
    [
      "an object",
      { A: "1", B: ["2", "3"], C: 4 },
      [
        ["A", "1"],
        ["B", "2"],
        ["B", "3"],
        ["C", "4"],
      ],
    ],
    ["text", "A: 1", []],
    ["deeper", { A: { b: 1 } }, []],
  ])("%s", (_, stored, pairs) => {
    expect(headerPairs(stored)).toEqual(pairs);
  });

  test("only harmless ones say their value", () => {
    const shown = maskedHeaders({
      "Content-Type": "text/plain",
      "Set-Cookie": "sid=1",
      Location: "/x?mail=li@example.com",
    });
    expect(shown).toEqual([
      { name: "Content-Type", value: "text/plain", masked: false },
      { name: "Set-Cookie", value: "••••", masked: true },
      { name: "Location", value: "/x?mail=••••", masked: true },
    ]);
  });
});
