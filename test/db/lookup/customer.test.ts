import "server-only";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as searchRoute } from "@/app/api/v1/keys/search/route";
import { keptCustomer } from "@/lib/privacy/customer";
import { insertOperation } from "@/test/factories/key-rows";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

const [newer, older] = [randomBytes(32), randomBytes(32)];
const EMAIL = "li@example.com";

let desk: Desk;
let ours: string;
let theirs: string;
let one: TestOperator;
let all: TestOperator;
let found: Record<"ours" | "before" | "theirs", string>;

beforeAll(async () => {
  const keys = Object.entries({ k2: newer, k1: older }).map(([id, key]) => `${id}:${key.toString("base64")}`);
  desk = await openDesk({ IDEMDESK_BODY_KEYS: keys.join(",") });
  [ours, theirs] = [await desk.tenant("Ours"), await desk.tenant("Theirs")];
  one = await desk.operator("support", [ours]);
  all = await desk.operator("oncall");
  found = { ours: await paid(ours, "k2"), before: await paid(ours, "k1"), theirs: await paid(theirs, "k2") };
  await insertOperation(desk.pool, { tenantId: ours }, { customer: "cus_li" });
});

afterAll(() => desk.close());

/** An operation whose events keep the customer's address under the key that was then current. */
async function paid(tenantId: string, current: "k1" | "k2") {
  const customer = keptCustomer({ current, keys: { k2: newer, k1: older } }, tenantId, EMAIL);
  expect(customer).not.toContain("@");
  return (await insertOperation(desk.pool, { tenantId }, { customer })).id;
}

const search = async (body: object, who: TestOperator) =>
  (await send(searchRoute, {}, { token: who.token, body: { ...body } })).json;

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id).sort();

test.each([EMAIL, " LI@Example.com", "Li <li@example.com>"])(
  "%s finds what any key of the ring hashed",
  async (customer) => {
    const answer = await search({ customer }, one);
    expect(idsOf(answer)).toEqual([found.ours, found.before].sort());
    expect(answer.notSearched).toEqual([]);
    expect(answer.items[0].matchedAs).toBe("customer");
  },
);

test("another tenant's is found only by who may read it", async () => {
  expect(idsOf(await search({ customer: EMAIL }, all))).toEqual(Object.values(found).sort());
  expect(idsOf(await search({ customer: EMAIL, tenantId: theirs }, all))).toEqual([found.theirs]);
});

test("an address nobody paid with was looked for, and never seen", async () => {
  const { items, verdict } = await search({ customer: "nobody@example.com" }, one);
  expect(items).toEqual([]);
  expect(verdict.code).toBe("never_seen");
});
