import "server-only";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as searchRoute } from "@/app/api/v1/keys/search/route";
import type { KeySummary } from "@/lib/lookup/schema";
import { insertKey } from "@/test/factories/key-rows";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

const PAGE = 7;
const ROWS = 30;
/** Rows of one instant, as a bulk import leaves them: only the id tells them apart. */
const SAME_INSTANT = "2026-11-30T23:59:59.999999Z";

let desk: Desk;
let tenant: string;
let other: string;
let reader: TestOperator;

beforeAll(async () => {
  desk = await openDesk();
  tenant = await desk.tenant();
  other = await desk.tenant();
  reader = await desk.operator("support", [tenant, other]);
  for (let row = 0; row < ROWS; row++) {
    const createdAt = row % 3 === 0 ? await recent(SAME_INSTANT) : undefined;
    await insertKey(desk.pool, {
      tenantId: row % 2 === 0 ? tenant : other,
      minutesAgo: 60 + row,
      ...(createdAt && { createdAt }),
      state: ["completed", "completed", "unknown", "strange"][row % 4] ?? "completed",
      endpoint: row % 5 === 0 ? "POST /v1/100%_off" : "POST /v1/payments",
    });
  }
});

afterAll(() => desk.close());

/** The same clock time, on a day that has a partition whenever the test runs. */
async function recent(time: string): Promise<string> {
  const { rows } = await desk.pool.query("SELECT ((clock_timestamp() AT TIME ZONE 'UTC')::date - 2)::text AS day");
  return `${rows[0].day}T${time.slice(11)}`;
}

const page = (body: object, who = reader) =>
  send(searchRoute, {}, { token: who.token, body: { limit: PAGE, ...body } });

async function walk(body: object, between: () => Promise<unknown> = async () => undefined): Promise<KeySummary[]> {
  const items: KeySummary[] = [];
  let cursor: string | null = null;
  do {
    const { json } = await page(cursor === null ? body : { ...body, cursor });
    items.push(...json.items);
    cursor = json.nextCursor;
    await between();
  } while (cursor !== null);
  return items;
}

const ids = (items: KeySummary[]) => items.map(({ id }) => id);

test.each(["-createdAt", "createdAt", "created_at"])("sorted by %s, every row once, page by page", async (sort) => {
  const items = await walk({ sort });
  const { rows } = await desk.pool.query(
    `SELECT k.id::text FROM idempotency_keys AS k ORDER BY k.created_at ${sort.startsWith("-") ? "DESC, k.id DESC" : ", k.id"}`,
  );
  expect(ids(items)).toEqual(rows.map(({ id }) => id));
});

test("rows that come meanwhile neither repeat nor hide another", async () => {
  const before = ids(await walk({}));
  const during = await walk({}, () => insertKey(desk.pool, { tenantId: tenant, minutesAgo: 0 }));
  expect(ids(during)).toEqual(before);
  await desk.pool.query("DELETE FROM idempotency_keys WHERE created_at > clock_timestamp() - interval '30 minutes'");
});

test("a filter is literal: `%` and `_` are letters", async () => {
  expect((await walk({ endpoint: "POST /v1/100%_off" })).length).toBe(6);
  expect(await walk({ endpoint: "POST /v1/%" })).toEqual([]);
});

test("states, also those nobody listed, phase, and tenant", async () => {
  expect(new Set((await walk({ states: ["unknown", "strange"] })).map(({ state }) => state))).toEqual(
    new Set(["unknown", "strange"]),
  );
  expect((await walk({ states: ["completed"], phase: "lapsed" })).every(({ phase }) => phase === "lapsed")).toBe(true);
  expect((await walk({ tenantId: other })).every(({ tenantId }) => tenantId === other)).toBe(true);
  expect((await page({ phase: "cleaned" })).json).toMatchObject({
    items: [],
    notSearched: [{ code: "rowFilters" }],
  });
});

test("a cursor belongs to its filter, its order and its reader", async () => {
  const { nextCursor: cursor } = (await page({})).json;
  const stranger = await desk.operator("support", [other]);
  const answers = [
    await page({ cursor, endpoint: "POST /v1/payments" }),
    await page({ cursor, sort: "createdAt" }),
    await page({ cursor, tenantId: tenant }),
    await page({ cursor }, stranger),
    await page({ cursor: `${cursor.slice(0, -2)}xx` }),
  ];
  for (const { status, json } of answers) expect([status, json.code]).toEqual([400, "invalid_cursor"]);
});

test("a cursor tells nothing but a time and an id, and pages may differ in length", async () => {
  const { nextCursor: cursor, items } = (await page({})).json;
  const [, payload] = cursor.split(".");
  const { at } = JSON.parse(Buffer.from(payload, "base64url").toString());
  expect(at).toEqual({ createdAt: items.at(-1).createdAt, id: items.at(-1).id });
  expect((await page({ cursor, limit: 3 })).json.items).toHaveLength(3);
});
