import { expect, test } from "vitest";
import { attemptsOf } from "@/lib/lookup/rules/attempts";
import { generationsOf } from "@/lib/lookup/rules/generations";
import { transitionsOf } from "@/lib/lookup/rules/transitions";
import { event, executed, picture, row } from "@/test/factories/lookup-story";

const outcomes = (events: Parameters<typeof attemptsOf>[0]) => attemptsOf(events).map(({ outcome }) => outcome);

test("a claim is executed when its own request completed it", () => {
  expect(attemptsOf(executed(0))).toMatchObject([{ outcome: "executed", status: 201, durationMs: 200, gapMs: null }]);
});

test("a completion by another request does not answer the claim", () => {
  expect(outcomes([event(0, "claimed"), event(9, "completed", { requestId: "another" })])).toEqual(["running"]);
});

test("gaps keep microseconds", () => {
  const attempts = attemptsOf([...executed(0, 200), event(1_500.123, "conflict"), event(1_500.125, "conflict")]);
  expect(attempts.map(({ gapMs }) => gapMs)).toEqual([null, 1_500.123, 0.002]);
});

test.each([
  ["released", "released"],
  ["failed", "failed"],
  ["marked_unknown", "unknown"],
] as const)("a claim that was %s", (kind, outcome) => {
  expect(outcomes([event(0, "claimed"), event(9, kind, { requestId: "request-0" })])).toEqual([outcome]);
});

test("a claim that somebody else had to settle got no answer", () => {
  const settled = [event(0, "claimed"), event(6_000, "lease_expired"), event(7_000, "recovered", { status: 201 })];
  expect(outcomes(settled)).toEqual(["unknown"]);
});

test("a claim after a release is the same life of the key; one after a record is the next", () => {
  const events = [
    event(0, "claimed"),
    event(5, "released", { requestId: "request-0" }),
    ...executed(50),
    ...executed(90_000_000),
  ];
  expect(attemptsOf(events).map(({ generation }) => generation)).toEqual([1, 1, 2]);
});

test("transitions tell from what to what", () => {
  const events = [event(0, "claimed"), event(2, "effect_started"), event(9, "marked_unknown"), event(99, "recovered")];
  expect(transitionsOf(events).map(({ from, to }) => [from, to])).toEqual([
    [null, "in_progress"],
    ["in_progress", "in_progress"],
    ["in_progress", "unknown"],
    ["unknown", "completed"],
  ]);
});

test("lives of a key take what their rows say, and what events remember where the row is gone", () => {
  const events = [...executed(0), ...executed(90_000_000, 200, 402)];
  const second = row({ id: "2", createdAt: events[2]?.at ?? "", responseStatus: 402 });
  expect(generationsOf(picture({ row: second, events }))).toMatchObject([
    { number: 1, keyId: null, state: "completed", responseStatus: 201 },
    { number: 2, keyId: "2", responseStatus: 402 },
  ]);
});
