import { describe, expect, test } from "vitest";
import { type ToldVerdict, verdictOf } from "@/lib/lookup/rules/verdict";
import { verdictCodes } from "@/lib/lookup/schema";
import { after, event, executed, picture, row, twin } from "@/test/factories/lookup-story";

type Given = Parameters<typeof picture>[0];

const claimed = event(0, "claimed", { state: "in_progress" });
const open = { state: "in_progress", responseStatus: null };

const table: [name: string, given: Given, code: ToldVerdict["code"], params?: object][] = [
  ["a state nobody listed", { row: row({ state: "archived" }) }, "unrecognised", { state: "archived" }],
  ["unknown, with a case", { row: row({ state: "unknown" }), caseId: "C-7" }, "unknown", { case: "C-7" }],
  ["unknown, though a twin executed", { row: row({ state: "unknown" }), twins: [twin(60)] }, "unknown"],
  ["in progress past its lease", { row: row(open), events: [claimed] }, "stuck", { lease: "ended" }],
  ["in progress without a lease, for long", { row: row({ ...open, lockedUntil: null }) }, "stuck", { lease: "none" }],
  ["in progress at the very end of its lease", { row: row(open), now: after(5_000) }, "stuck"],
  ["in progress within its lease", { row: row(open), now: after(4_999.999) }, "in_progress", { lease: "until" }],
  [
    "in progress without a lease, just begun",
    { row: row({ ...open, lockedUntil: null }), now: after(1) },
    "in_progress",
  ],
  ["failed without an answer", { row: row({ state: "failed", responseStatus: null }) }, "failed"],
  ["failed with an answer", { row: row({ state: "failed", responseStatus: 402 }) }, "declined", { status: "402" }],
  ["a twin executed", { twins: [twin(60_000)] }, "possibly_repeated", { others: 1, why: "request" }],
  [
    "a near twin executed",
    { nearTwins: [twin(60_000, { shares: "customer" })] },
    "possibly_repeated",
    { why: "customer" },
  ],
  ["a twin that was declined", { twins: [twin(60, { executed: false, responseStatus: 402 })] }, "executed_once"],
  ["refused, though a twin executed", { row: row({ responseStatus: 402 }), twins: [twin(60)] }, "declined"],
  [
    "used again after it lapsed",
    { events: [...executed(0), ...executed(90_000_000)] },
    "expired_then_reused",
    { lapse: "unknown" },
  ],
  [
    "used again, the older row still there",
    { row: row({ createdAt: after(90_000_000) }), olderRows: [row({ id: "1" })], events: [] },
    "expired_then_reused",
    { lapse: "known", lapsedAt: { time: after(86_400_000) } },
  ],
  [
    "released, then run",
    { events: [event(0, "claimed"), event(5, "released", { requestId: "request-0" }), ...executed(50)] },
    "executed_once",
  ],
  ["answered 404", { row: row({ responseStatus: 404 }) }, "declined", { status: "404" }],
  ["answered 500", { row: row({ responseStatus: 500 }) }, "errored", { status: "500", has: "no" }],
  [
    "answered 200 with two replays",
    { events: [...executed(0), event(9, "replayed"), event(99, "replayed")] },
    "executed_once",
    { replays: 2 },
  ],
  ["no event stream", { events: [], twinsChecked: false }, "executed_once", { measured: "no", others: "unchecked" }],
  ["completed without an answer kept", { row: row({ responseStatus: null }) }, "executed_once", { answer: "none" }],
  [
    "released",
    { row: null, events: [event(0, "claimed"), event(5, "released", { requestId: "request-0" })] },
    "released",
  ],
  [
    "refused before running",
    { row: null, events: [event(0, "rejected"), event(9, "rejected")] },
    "refused_only",
    { attempts: 2 },
  ],
  [
    "cleaned by a run",
    { row: null, events: [...executed(0), event(99, "cleaned", { source: "run 7" })] },
    "cleaned",
    { by: "run", run: "run 7", shown: "executed" },
  ],
  [
    "gone without a trace of who",
    { row: null, events: executed(0, 200, 402) },
    "cleaned",
    { by: "other", shown: "refused" },
  ],
  ["gone while it ran", { row: null, events: [claimed] }, "cleaned", { shown: "open" }],
];

describe("first match wins", () => {
  test.each(table)("%s", (_, given, code, params = {}) => {
    expect(verdictOf(picture(given))).toMatchObject({ code, params });
  });

  test("the table covers every code that an operation can have", () => {
    const covered = new Set(table.map(([, , code]) => code));
    const missing = verdictCodes.filter((code) => !covered.has(code));
    expect(missing).toEqual(["never_seen", "not_searchable"]);
  });
});

test("neither a row nor an event: nothing is said", () => {
  expect(verdictOf(picture({ row: null, events: [] }))).toBeNull();
});

test("facts lead to their events", () => {
  const facts = verdictOf(picture())?.facts ?? [];
  expect(facts.find(({ code }) => code === "answered")).toMatchObject({ eventId: "completed-200", at: after(200) });
  expect(facts.map(({ code }) => code)).toContain("othersNone");
});

test("without events the facts say so, and that others were not checked", () => {
  const facts = verdictOf(picture({ events: [], twinsChecked: false }))?.facts.map(({ code }) => code);
  expect(facts).toEqual(["rowSays", "expiry", "noEvents", "othersUnchecked"]);
});
