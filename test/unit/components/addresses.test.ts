import { describe, expect, it } from "vitest";
import { hashHref, keyHref, resultsHref } from "@/components/keys/addresses";
import { readListQuery } from "@/components/keys/list-query";
import type { KeySummary, MatchedAs, SearchAnswer } from "@/lib/lookup/schema";

const tenantId = "3b6f0f1e-55a1-4c0e-9a3c-7a7c1a1b2c3d";
const keyHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

function answer(...readings: (MatchedAs | undefined)[]): SearchAnswer {
  const items = readings.map((matchedAs) => ({ matchedAs }) as KeySummary);
  return { items, nextCursor: null, searched: [], notSearched: [], verdict: null };
}

describe("addresses", () => {
  it("names an operation by its row, and by hash once the row is gone", () => {
    expect(keyHref({ tenantId, id: "9007199254740993", keyHash, endpoint: "POST /v1/payments" })).toBe(
      `/keys/${tenantId}/9007199254740993`,
    );
    expect(keyHref({ tenantId, id: null, keyHash, endpoint: "POST /v1/payments" })).toBe(
      `/keys/${tenantId}/by-hash/${keyHash}?endpoint=POST%20%2Fv1%2Fpayments`,
    );
    expect(hashHref({ tenantId, keyHash })).toBe(`/keys/${tenantId}/by-hash/${keyHash}`);
  });

  it("never writes a text into the address that a hit did not prove to be public", () => {
    for (const readings of [[], ["key"], ["customer"], ["key", "key"], [undefined]] as (MatchedAs | undefined)[][]) {
      expect(resultsHref(answer(...readings), "raw-key-123", keyHash, tenantId)).toBe(
        `/keys?tenant=${tenantId}&keyHash=${keyHash}`,
      );
      expect(resultsHref(answer(...readings), "raw-key-123", null)).toBe("/keys?");
    }
  });

  it("writes an order number that led to operations", () => {
    expect(resultsHref(answer("reference", "reference"), "order-77", keyHash)).toBe("/keys?reference=order-77");
  });
});

describe("readListQuery", () => {
  it("reads every filter", () => {
    const query = new URLSearchParams(
      `tenant=${tenantId}&state=failed&state=odd%20one&phase=live&status=4xx&from=2026-12-01T00:00:00Z&amount=4200&currency=EUR&sort=createdAt`,
    );
    expect(readListQuery(query)).toEqual({
      tenantId,
      states: ["failed", "odd one"],
      phase: "live",
      statusClass: "4xx",
      from: "2026-12-01T00:00:00Z",
      amount: 4200,
      currency: "EUR",
      sort: "createdAt",
    });
  });

  it("leaves out what is none of its choices, and a raw key above all", () => {
    expect(
      readListQuery(
        new URLSearchParams("phase=dead&status=9xx&from=yesterday&amount=1e99&sort=drop&key=secret&text=secret"),
      ),
    ).toEqual({});
  });
});
