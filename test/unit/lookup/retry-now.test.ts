import { describe, expect, test } from "vitest";
import type { KeyRow } from "@/lib/lookup/rules/model";
import { undeclared } from "@/lib/lookup/rules/profile";
import { retryNow } from "@/lib/lookup/rules/retry-now";
import { after, declared, row } from "@/test/factories/lookup-story";

const now = after(1_000);
const open = { state: "in_progress", responseStatus: null };

const table: [string, KeyRow | null, string, number | null, string | null][] = [
  ["completed", row(), "replay", 201, after(86_400_000)],
  ["completed, lapsed", row({ expiresAt: now }), "execute", null, null],
  ["in progress", row(open), "conflict", 409, after(5_000)],
  ["stuck", row({ ...open, lockedUntil: now }), "conflict", 409, null],
  ["failed", row({ state: "failed", responseStatus: null }), "pending", 409, null],
  ["unknown", row({ state: "unknown" }), "pending", 409, null],
  ["a state nobody listed", row({ state: "archived" }), "not_known", null, null],
  ["no record", null, "execute", null, null],
];

describe("from what is declared", () => {
  test.each(table)("%s", (_, given, outcome, status, until) => {
    expect(retryNow(given, declared, now)).toMatchObject({ outcome, status, until });
  });
});

describe("undeclared is not known, whatever the state", () => {
  test.each(table)("%s", (_, given) => {
    expect(retryNow(given, undeclared, now)).toMatchObject({ outcome: "not_known", status: null, until: null });
  });
});
