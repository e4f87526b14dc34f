import { describe, expect, test } from "vitest";
import { hintsOf } from "@/lib/lookup/rules/hints";
import { after, event, executed, picture, row, twin } from "@/test/factories/lookup-story";

type Given = Parameters<typeof picture>[0];

const codes = (given: Given) => hintsOf(picture(given)).map(({ code }) => code);
const other = "12".repeat(32);
const conflict = (ms: number) => event(ms, "conflict", { retryAfterMs: 1_000, status: 409 });
const keyless = (ms: number, more: object) => event(ms, "rejected", { keyHash: null, fingerprint: null, ...more });

const table: [name: string, given: Given, hints: string[]][] = [
  ["one attempt", {}, []],
  ["one 422", { events: [...executed(0), event(900, "mismatch", { fingerprint: other })] }, []],
  [
    "two other requests, one 422 each",
    {
      events: [
        ...executed(0),
        event(9, "mismatch", { fingerprint: other }),
        event(99, "mismatch", { fingerprint: "34".repeat(32) }),
      ],
    },
    ["weak_key"],
  ],
  [
    "the same request again after its 422",
    {
      events: [
        ...executed(0),
        event(9, "mismatch", { fingerprint: other }),
        event(99, "mismatch", { fingerprint: other }),
      ],
    },
    ["retried_mismatch"],
  ],
  ["a retry that waited", { events: [...executed(0, 3_000), conflict(1_500), event(4_000, "replayed")] }, []],
  [
    "a retry a microsecond too soon",
    { events: [...executed(0, 3_000), conflict(1_500), event(2_499.999, "conflict")] },
    ["ignored_retry_after"],
  ],
  [
    "a retry at the very end of the wait",
    { events: [...executed(0, 3_000), conflict(1_500), event(2_500, "conflict")] },
    [],
  ],
  [
    "a double click, each waiting",
    { events: [...executed(0, 3_000), conflict(100), conflict(1_200), conflict(1_300)] },
    [],
  ],
  [
    "the service asked for no wait",
    { events: [...executed(0, 3_000), event(500, "conflict"), event(700, "conflict")] },
    [],
  ],
  ["the same request while the first was unanswered", { twins: [twin(100)] }, ["new_key_per_attempt"]],
  ["the same request at the moment of the answer", { twins: [twin(200)] }, []],
  ["bought again after the answer", { twins: [twin(60_000)] }, []],
  [
    "this key began while an earlier one was unanswered",
    { twins: [twin(-500, { deliveredAt: null })] },
    ["new_key_per_attempt"],
  ],
  ["another request of the same customer meanwhile", { nearTwins: [twin(100, { shares: "customer" })] }, []],
  [
    "one attempt whose id is the key",
    { events: executed(0).map((own) => ({ ...own, requestIsKey: true })) },
    ["attempt_id_as_key"],
  ],
  [
    "two attempts, both with the key as id",
    { events: [...executed(0), event(900, "replayed")].map((own) => ({ ...own, requestIsKey: true })) },
    ["key_as_attempt_id"],
  ],
  [
    "one of two attempts with the key as id",
    { events: [...executed(0), event(900, "replayed", { requestIsKey: true })] },
    [],
  ],
  ["a counter as key", { row: row({ weakness: "sequence" }) }, ["weak_key"]],
  [
    "the same request after the record lapsed",
    { events: [...executed(0), ...executed(90_000_000)] },
    ["retries_outlived_ttl"],
  ],
  [
    "another request after the record lapsed",
    { events: [...executed(0), ...executed(90_000_000).map((own) => ({ ...own, fingerprint: other }))] },
    [],
  ],
  ["one replay", { events: [...executed(0), event(9_000, "replayed")] }, []],
  [
    "an attempt after a replay",
    { events: [...executed(0), event(9_000, "replayed"), event(19_000, "replayed")] },
    ["attempts_after_answer"],
  ],
  [
    "no key between two keyed attempts of one customer",
    { events: [...executed(0, 3_000), event(5_000, "replayed")], keyless: [keyless(2_000, {})] },
    ["header_stripped"],
  ],
  [
    "no key, from another customer",
    { events: [...executed(0, 3_000), event(5_000, "replayed")], keyless: [keyless(2_000, { customer: "cus_2" })] },
    [],
  ],
  [
    "no key, and nothing that tells whose",
    { events: [...executed(0, 3_000), event(5_000, "replayed")], keyless: [keyless(2_000, { customer: null })] },
    [],
  ],
];

describe("a hint names the rule that was broken, and only that", () => {
  test.each(table)("%s", (_, given, hints) => {
    expect(codes(given)).toEqual(hints);
  });
});

test("a hint leads to the attempts that show it", () => {
  const [hint] = hintsOf(picture({ events: [...executed(0), event(9_000, "replayed"), event(19_000, "replayed")] }));
  expect(hint?.eventIds).toEqual(["replayed-19000"]);
});

test("a lapsed row whose client still asks, without a second claim", () => {
  const given = { row: row({ expiresAt: after(10_000) }), events: [...executed(0), event(12_000, "conflict")] };
  expect(codes(given)).toEqual(["retries_outlived_ttl"]);
});
