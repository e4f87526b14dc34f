import "server-only";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as chainRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/chain/route";
import { GET as detailRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/route";
import { GET as hashChainRoute } from "@/app/api/v1/tenants/[tenantId]/keys/by-hash/[hash]/chain/route";
import { GET as hashRoute } from "@/app/api/v1/tenants/[tenantId]/keys/by-hash/[hash]/route";
import { emitEvents, hashOf, insertKey, insertOperation, later } from "@/test/factories/key-rows";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

/** 2^53 + 1: the first whole number that JSON's usual readers cannot hold. */
const BIG_ID = "9007199254740993";

let desk: Desk;
let tenantId: string;
let reader: TestOperator;

beforeAll(async () => {
  desk = await openDesk();
  tenantId = await desk.tenant();
  reader = await desk.operator("support", [tenantId]);
});

afterAll(() => desk.close());

const get = (route: typeof detailRoute, params: Record<string, string>, query = "", who = reader) =>
  send(route, { tenantId, ...params }, { token: who.token, query });

test("a big id is whole in detail and chain", async () => {
  await insertOperation(desk.pool, { tenantId, id: BIG_ID });
  expect((await get(detailRoute, { id: BIG_ID })).json).toMatchObject({ id: BIG_ID, layout: "daily" });
  expect((await get(chainRoute, { id: BIG_ID })).json).toMatchObject({ keyId: BIG_ID, complete: true });
});

describe("rows as they are in the wild", () => {
  test.each([
    ["a state nobody listed", { state: "archived" }, { state: "archived", verdict: { code: "unrecognised" } }],
    ["no lease", { state: "in_progress", leaseSeconds: null }, { lockedUntil: null, verdict: { code: "stuck" } }],
    ["headers as pairs", { headers: [["content-type", "text/plain"]] }, { headers: [{ value: "text/plain" }] }],
    [
      "headers as an object",
      { headers: { "Content-Type": "text/plain", "X-Secret": "s" } },
      { headers: [{ name: "X-Secret", masked: true }, { value: "text/plain" }] },
    ],
    ["headers that are neither", { headers: "text" }, { headers: [] }],
    ["no headers", {}, { headers: [] }],
    ["no answer", { status: null }, { responseStatus: null, verdict: { code: "executed_once" } }],
    ["a key of any text", { key: "\u202e {}%\\x41'\"" }, { verdict: { code: "executed_once" } }],
  ])("%s", async (_, given, shown) => {
    const { id } = await insertKey(desk.pool, { tenantId, ...given });
    const { status, json } = await get(detailRoute, { id });
    expect(status).toBe(200);
    expect(json).toMatchObject(shown);
    expect(json.events.measured).toBe(false);
  });
});

test("a row without events claims less, and its chain says that it is not complete", async () => {
  const { id } = await insertKey(desk.pool, { tenantId });
  const { verdict } = (await get(detailRoute, { id })).json;
  expect(verdict.params).toMatchObject({ measured: "no", others: "unchecked" });
  expect((await get(chainRoute, { id })).json).toMatchObject({ attempts: [], complete: false });
});

test("times keep their microseconds, and are judged by the database's clock", async () => {
  const { rows } = await desk.pool.query("SELECT ((clock_timestamp() AT TIME ZONE 'UTC')::date - 1)::text AS day");
  const createdAt = `${rows[0].day}T10:00:00.123456Z`;
  const { id } = await insertKey(desk.pool, { tenantId, createdAt });
  expect((await get(detailRoute, { id })).json).toMatchObject({
    createdAt,
    lockedUntil: createdAt.replace("00.123456", "05.123456"),
  });
});

test("a chain in order, with its hint", async () => {
  const own = await insertOperation(desk.pool, { tenantId, minutesAgo: 30 });
  const shared = { tenantId, key: own.key, fingerprint: own.fingerprint, kind: "replayed", responseStatus: 201 };
  await emitEvents(desk.pool, [
    { ...shared, at: later(own.createdAt, 20_000), requestId: "second" },
    { ...shared, at: later(own.createdAt, 40_000), requestId: "third" },
  ]);
  const { json } = await get(chainRoute, { id: own.id });
  expect(json.attempts).toMatchObject([
    { outcome: "executed", gapMs: null },
    { outcome: "replayed", gapMs: 20_000, requestId: "second" },
    { outcome: "replayed", gapMs: 20_000, requestId: "third" },
  ]);
  expect(json.hints).toMatchObject([{ code: "attempts_after_answer", eventIds: [json.attempts[2].eventId] }]);
  expect(json.transitions.map(({ to }: { to: string }) => to)).toEqual(["in_progress", "completed"]);
});

test("twins by the same request, near twins by customer and amount, none from another tenant", async () => {
  const fingerprint = hashOf(`twin ${randomUUID()}`);
  const facts = { customer: `cus_${randomUUID()}`, amount: 9_900, currency: "EUR" };
  const own = await insertOperation(desk.pool, { tenantId, minutesAgo: 20, fingerprint }, facts);
  const twin = await insertOperation(desk.pool, { tenantId, minutesAgo: 19, fingerprint }, facts);
  const near = await insertOperation(desk.pool, { tenantId, minutesAgo: 12 }, facts);
  const elsewhere = await desk.tenant();
  await insertOperation(desk.pool, { tenantId: elsewhere, minutesAgo: 19, fingerprint }, facts);
  await insertOperation(desk.pool, { tenantId, minutesAgo: 36, fingerprint }, facts); // outside of the window
  const { twins, nearTwins } = (await get(chainRoute, { id: own.id })).json;
  expect(twins).toMatchObject([{ keyId: twin.id, executed: true, shares: "fingerprint" }]);
  expect(nearTwins).toMatchObject([{ keyId: near.id, shares: "customer", amount: 9_900 }]);
  expect((await get(detailRoute, { id: own.id })).json.verdict).toMatchObject({
    code: "possibly_repeated",
    params: { others: 2 },
  });
});

test("by hash: the newest operation, others beside it, also when the row is gone", async () => {
  const key = `shared-${randomUUID()}`;
  const hash = hashOf(key);
  await insertOperation(desk.pool, { tenantId, key, minutesAgo: 50 });
  const newest = await insertOperation(desk.pool, { tenantId, key, endpoint: "POST /v1/refunds", minutesAgo: 5 });
  const found = (await get(hashRoute, { hash })).json;
  expect(found).toMatchObject({
    id: newest.id,
    endpoint: "POST /v1/refunds",
    others: [{ endpoint: "POST /v1/payments" }],
  });
  await desk.pool.query("DELETE FROM idempotency_keys WHERE id = $1", [newest.id]);
  const gone = (await get(hashRoute, { hash }, "endpoint=POST%20%2Fv1%2Frefunds")).json;
  expect(gone).toMatchObject({ id: null, phase: "cleaned", keyMasked: null, verdict: { code: "cleaned" } });
  expect((await get(hashChainRoute, { hash })).json).toMatchObject({
    keyId: null,
    attempts: [{ outcome: "executed" }],
  });
});

describe("not there, and not yours, are the same to the byte", () => {
  test("in detail and chain, by id and by hash", async () => {
    const theirs = await insertOperation(desk.pool, { tenantId: await desk.tenant() });
    const missing = { id: "8999", hash: hashOf("nothing") };
    const pairs: [typeof detailRoute, string, string][] = [
      [detailRoute, theirs.id, missing.id],
      [chainRoute, theirs.id, missing.id],
      [hashRoute, theirs.keyHash, missing.hash],
      [hashChainRoute, theirs.keyHash, missing.hash],
    ];
    for (const [route, there, nowhere] of pairs) {
      const [name] = route.definition.path.includes("hash") ? ["hash"] : ["id"];
      const answers = [
        await get(route, { [name ?? ""]: there }),
        await get(route, { [name ?? ""]: nowhere }),
        await get(route, { tenantId: theirs.tenantId, [name ?? ""]: there }),
        await get(route, { tenantId: randomUUID(), [name ?? ""]: there }),
      ];
      const told = answers.map(({ status, json: { requestId: _, ...rest } }) => JSON.stringify([status, rest]));
      expect(new Set(told).size).toBe(1);
      expect(answers[0]?.status).toBe(404);
    }
  });

  test.each(["0", "-1", "1.5", "9223372036854775808", "abc", "1;drop table x"])("%s is no id", async (id) => {
    expect((await get(detailRoute, { id })).status).toBe(400);
  });
});
