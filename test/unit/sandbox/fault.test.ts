import { expect, test } from "vitest";
import { parseFault } from "@/lib/sandbox/fault";

test.each([
  ["slow=250", { kind: "slow", ms: 250 }],
  [" decline ", { kind: "decline" }],
  ["lose-answer", { kind: "lose-answer", hold: false }],
  ["lose-answer=hold", { kind: "lose-answer", hold: true }],
  ["crash-after-charge", { kind: "crash-after-charge" }],
  ["crash-before-charge", { kind: "crash-before-charge" }],
  ["error-after-charge", { kind: "error-after-charge" }],
])("%s is a fault", (text, fault) => {
  expect(parseFault(text)).toEqual(fault);
});

test.each([
  "",
  "slow",
  "slow=",
  "slow=-1",
  "slow=1.5",
  "slow=9999999",
  "decline=1",
  "lose-answer=later",
  "lose-answer=hold=1",
  "explode",
])("%j is none", (text) => {
  expect(parseFault(text)).toBeNull();
});
