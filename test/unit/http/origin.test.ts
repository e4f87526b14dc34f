import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOwnOrigin, ownPath } from "@/lib/http/origin";

const DESK = "https://desk.example";

function ask(origin: string | null, { method = "POST", host = "desk.example", desk = DESK } = {}) {
  const headers = new Headers({ Host: host });
  if (origin !== null) headers.set("Origin", origin);
  return isOwnOrigin(new Request(`${DESK}/api`, { method, headers }), desk);
}

describe("a change may come from", () => {
  test.each(["https://desk.example", "https://desk.example:443", "HTTPS://DESK.EXAMPLE"])("%s", (origin) => {
    expect(ask(origin)).toBe(true);
  });
  test("the host it was reached by, under the desk's own scheme", () => {
    expect(ask("https://other.example", { host: "other.example" })).toBe(true);
    expect(ask("http://other.example", { host: "other.example" })).toBe(false);
    expect(ask("http://localhost:3000", { host: "localhost:3000", desk: "" })).toBe(true);
  });
  test.each([
    null,
    "null",
    "",
    "http://[",
    "http://desk.example",
    "https://desk.example:8443",
    "https://sub.desk.example",
    "https://desk.example.evil",
    "https://desk.example@evil.example",
    "file://desk.example",
    "https://desk.example, https://evil.example",
  ])("not from %s", (origin) => {
    expect(ask(origin)).toBe(false);
  });
  test("anywhere for a read", () => {
    expect(ask("https://evil.example", { method: "GET" })).toBe(true);
  });
});

describe("after signing in people go to", () => {
  test.each([
    ["/keys?q=1#a", "/keys?q=1#a"],
    ["https://desk.example/audit", "/audit"],
    ["keys", "/keys"],
    [null, "/"],
    ["", "/"],
    ["//evil.example/x", "/"],
    ["/\\evil.example", "/"],
    ["\\\\evil.example", "/"],
    ["https://desk.example@evil.example/", "/"],
    ["https://desk.example.evil/", "/"],
    ["javascript:alert(1)", "/"],
    ["data:text/html,x", "/"],
    ["http://desk.example/x", "/"],
    ["http://[", "/"],
    ["/\t/evil.example", "/"],
    ["/.//evil.example", "/"],
    ["/..//evil.example", "/"],
    ["/%2e//evil.example", "/"],
    ["/x/../..//evil.example", "/"],
    ["https://desk.example//evil.example", "/"],
  ])("%s → %s", (asked, path) => {
    expect(ownPath(asked, DESK)).toBe(path);
  });

  test("the desk whatever is asked, however often the answer is resolved again", () => {
    const part = fc.constantFrom("/", "//", "\\", ".", "..", "%2e", "evil.example", "@", ":", "https:", "\t", "?", "#");
    const asked = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(asked, (address) => {
        expect(new URL(ownPath(address, DESK), DESK).origin).toBe(DESK);
      }),
      { numRuns: 2_000 },
    );
  });
});
