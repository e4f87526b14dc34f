import "server-only";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST as searchRoute } from "@/app/api/v1/keys/search/route";
import type { SearchAnswer } from "@/lib/lookup/schema";
import { emitEvents, hashOf, insertKey, insertOperation, later } from "@/test/factories/key-rows";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

let desk: Desk;
let ours: string;
let theirs: string;
let one: TestOperator;
let all: TestOperator;
let operation: Awaited<ReturnType<typeof insertOperation>>;

const facts = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  providerReference: "ch_search_1",
  references: ["ORD-search-1", "INV-search-1"],
  customer: "cus_search_1",
  amount: 4_217,
  currency: "EUR",
};

beforeAll(async () => {
  desk = await openDesk();
  ours = await desk.tenant("Ours");
  theirs = await desk.tenant("Theirs");
  one = await desk.operator("support", [ours]);
  all = await desk.operator("oncall");
  operation = await insertOperation(desk.pool, { tenantId: ours, key: "pay-search-0001" }, facts);
  await insertOperation(
    desk.pool,
    { tenantId: theirs, key: "theirs-search-0001" },
    { ...facts, customer: "cus_theirs" },
  );
});

afterAll(() => desk.close());

async function search(body: object, who = one): Promise<SearchAnswer> {
  const answer = await send(searchRoute, {}, { token: who.token, body });
  expect(answer.text).toContain('"items"');
  return answer.json;
}

const status = async (body: object, who = one) => (await send(searchRoute, {}, { token: who.token, body })).status;

describe("every identifier finds the operation, and says which it was", () => {
  const identifiers: [as: string, body: () => object][] = [
    ["id", () => ({ text: operation.id })],
    ["key", () => ({ key: operation.key })],
    ["key", () => ({ text: `"${operation.key}"` })],
    ["key", () => ({ text: `Idempotency-Key: ${operation.key}` })],
    ["key", () => ({ key: operation.key, tenantId: ours, endpoint: "POST /v1/payments" })],
    ["keyHash", () => ({ keyHash: operation.keyHash.toUpperCase() })],
    ["keyHash", () => ({ text: operation.keyHash })],
    ["keyHashPrefix", () => ({ keyHashPrefix: operation.keyHash.slice(0, 9) })],
    ["fingerprint", () => ({ fingerprint: operation.fingerprint })],
    ["requestId", () => ({ requestId: operation.requestId })],
    ["traceId", () => ({ traceId: facts.traceId })],
    ["traceId", () => ({ text: `00-${facts.traceId}-00f067aa0ba902b7-01` })],
    ["providerReference", () => ({ providerReference: "ch_search_1" })],
    ["reference", () => ({ reference: "INV-search-1" })],
    ["customer", () => ({ customer: "cus_search_1" })],
    ["amount", () => ({ amount: 4_217, currency: "eur", ...around(operation.createdAt) })],
  ];

  test.each(identifiers)("%s %#", async (as, body) => {
    const { items, verdict } = await search(body());
    expect(items).toMatchObject([{ id: operation.id, tenantId: ours, matchedAs: as, phase: "live" }]);
    expect(verdict).toBeNull();
  });

  test.each(identifiers)("%s %# finds nothing for an operator of another tenant", async (_, body) => {
    const other = await desk.operator("support", [await desk.tenant()]);
    const { tenantId, ...rest } = body() as { tenantId?: string };
    const answer = await send(searchRoute, {}, { token: other.token, body: rest });
    expect(answer.json.items).toEqual([]);
    expect(answer.text).not.toContain(ours);
    if (tenantId) expect(await status({ ...rest, tenantId }, other)).toBe(404);
  });
});

function around(at: string) {
  return { from: later(at, -60_000), to: later(at, 60_000) };
}

test("an operator of all tenants finds both, without naming a tenant", async () => {
  const { items } = await search({ providerReference: "ch_search_1" }, all);
  expect(items.map(({ tenantId }) => tenantId).sort()).toEqual([ours, theirs].sort());
});

test("members given by name must all hold", async () => {
  expect((await search({ providerReference: "ch_search_1", customer: "cus_theirs" }, all)).items).toHaveLength(1);
  expect((await search({ reference: "ORD-search-1", customer: "cus_nobody" }, all)).items).toEqual([]);
});

test("what is gone is found by what events remember", async () => {
  const key = `gone-${randomUUID()}`;
  const at = later(operation.createdAt, -3_600_000);
  await emitEvents(desk.pool, [
    { tenantId: ours, key, kind: "claimed", at, state: "in_progress" },
    { tenantId: ours, key, kind: "completed", at: later(at, 90), state: "completed", responseStatus: 402 },
  ]);
  const { items } = await search({ key });
  expect(items).toMatchObject([{ id: null, phase: "cleaned", state: "completed", responseStatus: 402, createdAt: at }]);
});

test("a row that no event tells of is found by its exact key, with and without its endpoint", async () => {
  const silent = await insertKey(desk.pool, { tenantId: ours, endpoint: "POST /v1/silent" });
  expect((await search({ key: silent.key })).items).toMatchObject([{ id: silent.id }]);
  expect((await search({ key: silent.key, endpoint: "POST /v1/silent" })).items).toMatchObject([{ id: silent.id }]);
  expect((await search({ keyHash: hashOf(silent.key) })).items).toEqual([]);
});

describe("keys that look alike", () => {
  const keys = ["alike-0001", "аlike-0001", "al\u200bike-0001", "alike-0001\u202e", "alike-0001 ", "ALIKE-0001"];

  beforeAll(async () => {
    for (const key of keys) await insertOperation(desk.pool, { tenantId: ours, key });
  });

  test.each(keys.map((key) => [JSON.stringify(key), key]))("%s finds itself alone", async (_, key) => {
    const { items } = await search({ key });
    expect(items.map(({ keyHash }) => keyHash)).toEqual([hashOf(key)]);
    expect(items[0]?.keyMasked).not.toMatch(/[\u200b\u202e\u0430]/);
  });
});

describe("what was not looked for is said", () => {
  test("never seen, when everything was looked at", async () => {
    const { verdict, searched, notSearched } = await search({ key: `never-${randomUUID()}` });
    expect(verdict?.code).toBe("never_seen");
    expect(searched.map(({ where }) => where)).toEqual(["events", "keys"]);
    expect(notSearched).toEqual([]);
  });

  test("without events a hash cannot be looked for", async () => {
    const silent = await desk.tenant();
    const { verdict, notSearched } = await search({ keyHash: hashOf("any"), tenantId: silent }, all);
    expect(verdict?.code).toBe("not_searchable");
    expect(notSearched).toMatchObject([{ by: "keyHash", code: "noEvents" }]);
  });

  test("a narrowed search concludes nothing", async () => {
    expect((await search({ key: operation.key, states: ["unknown"] })).verdict).toBeNull();
  });

  test("an e-mail address is kept as a hash only; an amount needs a time range", async () => {
    expect((await search({ customer: "li@example.com" })).notSearched).toMatchObject([{ code: "emailHashed" }]);
    expect((await search({ amount: 1, currency: "EUR" })).notSearched).toMatchObject([{ code: "noTimeRange" }]);
  });
});

describe("bad input is 400, never a query", () => {
  test.each([
    ["sort", { sort: "created_at;drop table x" }],
    ["sort", { sort: "asc, (case when true then pg_sleep(2) end)" }],
    ["limit", { limit: 101 }],
    ["an amount alone", { amount: 4_217 }],
    ["a currency alone", { currency: "EUR" }],
    ["limit", { limit: 0 }],
    ["keyHash", { keyHash: "zz" }],
    ["keyHashPrefix", { keyHashPrefix: "abcdef1" }],
    ["tenantId", { tenantId: "not-a-tenant" }],
    ["from", { from: "yesterday" }],
    ["from", { from: "0000-01-01T00:00:00Z" }],
    ["to", { from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" }],
    ["cursor", { cursor: "made-up" }],
    ["unknown", { unknown: 1 }],
    ["phase", { phase: "gone" }],
  ])("%s", async (member, body) => {
    const answer = await send(searchRoute, {}, { token: one.token, body });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe(member === "cursor" ? "invalid_cursor" : "validation_failed");
    expect(answer.text).not.toMatch(/syntax|relation|SELECT/i);
  });

  test("a NUL, a lone surrogate and a very long text end in an answer", async () => {
    for (const text of ["a\u0000b", "\ud800", "x".repeat(4_096)]) expect(await status({ text })).toBe(200);
  });
});
