import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashKey } from "@/lib/idempotency";
import { customerNames } from "@/lib/privacy/customer";
import { recoverOperations } from "@/lib/sandbox/service/recover";
import { openShop, order, ring, type TestShop } from "./shop";

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop({ leaseMs: 25_000, providerTimeoutMs: 20_000 });
});
afterAll(() => shop.close());

const key = () => crypto.randomUUID();

describe("a payment", () => {
  test("is charged once, kept, and replayed", async () => {
    const before = (await shop.ledger()).length;
    const used = key();
    const first = await shop.pay(used);
    const second = await shop.pay(used);
    expect([first.status, second.status]).toEqual([201, 201]);
    const body = await first.json();
    expect(body).toMatchObject({ status: "succeeded", amount: 4_200, currency: "EUR", customer: "cus_1" });
    expect(await second.json()).toEqual(body);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await shop.ledger()).length - before).toBe(1);
    expect((await shop.payments()).at(-1)).toMatchObject({ id: body.id, providerReference: body.providerReference });
    expect(await shop.kinds(used)).toEqual(["claimed", "effect_started", "completed", "replayed"]);
  });

  test("is read back by its tenant alone", async () => {
    const { id } = await (await shop.pay(key())).json();
    const read = (apiKey: string) =>
      shop.api.payment(new Request("http://sandbox.test/", { headers: { Authorization: `Bearer ${apiKey}` } }), id);
    expect(await (await read(shop.apiKey)).json()).toMatchObject({ id, amount: 4_200 });
    await shop.database.pool.query(
      "INSERT INTO sandbox.tenant (id, name, api_key, share) VALUES (gen_random_uuid(), 'Other', 'other-key', 1)",
    );
    expect((await read("other-key")).status).toBe(404);
    expect((await read("no-key")).status).toBe(401);
    const strange = new Request("http://sandbox.test/", { headers: { Authorization: `Bearer ${shop.apiKey}` } });
    expect((await shop.api.payment(strange, "a\0")).status).toBe(404);
  });

  test("is refused without a valid API key before anything is looked at", async () => {
    const used = key();
    const answer = await shop.pay(used, { headers: { Authorization: "Bearer wrong" } });
    expect(answer.status).toBe(401);
    expect(await shop.row(used)).toBeUndefined();
    expect(await shop.kinds(used)).toEqual([]);
  });

  test("that is not valid is released, so that the mended request may use the key", async () => {
    const used = key();
    const refused = await shop.pay(used, { body: { ...order, currency: "XXX" } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: "payment_invalid", errors: [{ pointer: "/currency" }] });
    expect(await shop.row(used)).toBeUndefined();
    expect((await shop.pay(used)).status).toBe(201);
    expect((await shop.kinds(used)).slice(0, 2)).toEqual(["claimed", "released"]);
  });

  test("without a key, with another body under a used one, or with a body of two meanings is not run", async () => {
    const before = (await shop.ledger()).length;
    const used = key();
    await shop.pay(used);
    expect((await shop.pay(null)).status).toBe(400);
    expect((await shop.pay(used, { body: { ...order, amount: 1 } })).status).toBe(422);
    expect((await shop.pay(key(), { body: '{"amount":1,"amount":2}' })).status).toBe(400);
    expect((await shop.ledger()).length - before).toBe(1);
  });

  test.each([
    ["customer", { customer: "a\0b" }],
    ["order", { order: "\0" }],
    ["description", { description: "a\0" }],
  ])("that cannot be kept, for a NUL in its %s, is refused before the provider hears of it", async (name, part) => {
    const used = key();
    const refused = await shop.pay(used, { body: { ...order, ...part } });
    expect([refused.status, (await refused.json()).errors[0].pointer]).toEqual([400, `/${name}`]);
    expect(await shop.kinds(used)).toEqual(["claimed", "released"]);
    expect(await shop.row(used)).toBeUndefined();
  });

  test("of a customer named by an e-mail address tells its events a hash, also where it is refused", async () => {
    const body = { ...order, customer: "Kim@Example.com", order: `ORD-${key()}` };
    const [paid, refused, refunded] = [key(), key(), key()];
    await shop.pay(paid, { body });
    await shop.pay(paid, { body });
    await shop.pay(refused, { body: { ...body, currency: "XXX" } });
    await shop.refund(refunded, { order: body.order });
    await shop.service.sink.flush();
    const { rows } = await shop.database.pool.query(
      "SELECT DISTINCT customer FROM idemdesk.event WHERE key_hash = ANY ($1)",
      [[paid, refused, refunded].map((one) => Buffer.from(hashKey(one), "hex"))],
    );
    const names = rows.flatMap(({ customer }) => (customer === null ? [] : [customer]));
    expect(names).toEqual(customerNames(ring, shop.tenant, "kim@example.com"));
    const kept = await shop.database.pool.query("SELECT FROM idemdesk.event WHERE event::text ILIKE '%kim@%'");
    expect(kept.rowCount).toBe(0);
  });

  test("with a fault nobody knows is refused", async () => {
    const answer = await shop.pay(key(), { fault: "explode" });
    expect([answer.status, (await answer.json()).code]).toEqual([400, "sandbox_fault_invalid"]);
  });
});

describe("a refund", () => {
  test("gives back a payment named by its order", async () => {
    const named = { ...order, order: `ORD-${key()}` };
    const payment = await (await shop.pay(key(), { body: named })).json();
    const refund = await shop.refund(key(), { order: named.order, amount: 1_000 });
    expect(refund.status).toBe(201);
    expect(await refund.json()).toMatchObject({ payment: payment.id, amount: 1_000, status: "succeeded" });
    expect((await shop.ledger()).at(-1)).toMatchObject({ status: "refunded", amount: 1_000 });
  });

  test("of more than was paid, or of nothing known, is refused before the provider hears of it", async () => {
    const before = (await shop.ledger()).length;
    const { id } = await (await shop.pay(key())).json();
    expect((await shop.refund(key(), { payment: id, amount: 4_201 })).status).toBe(409);
    expect((await shop.refund(key(), { payment: "pay_0" })).status).toBe(404);
    expect((await shop.refund(key(), { amount: 5 })).status).toBe(400);
    expect((await shop.ledger()).length - before).toBe(1);
  });
});

describe("under each fault, however often it is sent again", () => {
  const cases = [
    { fault: "slow=50", first: 201, charges: 1, state: "completed", status: 201 },
    { fault: "decline", first: 402, charges: 0, state: "completed", status: 402 },
    { fault: "error-after-charge", first: 500, charges: 1, state: "completed", status: 500 },
    { fault: "lose-answer", first: 502, charges: 1, state: "completed", status: 201 },
    { fault: "crash-after-charge", first: 502, charges: 1, state: "completed", status: 201 },
    { fault: "lose-answer=hold", first: 502, charges: 1, state: "unknown", status: null },
    { fault: "crash-before-charge", first: 502, charges: 0, state: "unknown", status: null },
  ];

  test.each(cases)(
    "$fault charges $charges times and ends $state",
    async ({ fault, first, charges, state, status }) => {
      const shop = await openShop({ leaseMs: 25_000, providerTimeoutMs: 20_000 });
      const used = key();
      expect((await shop.pay(used, { fault })).status).toBe(first);
      for (let round = 0; round < 2; round++) {
        await Promise.all([shop.pay(used), shop.pay(used, { fault })]);
        await shop.passTime();
        await recoverOperations(shop.service);
      }
      const succeeded = (await shop.ledger()).filter((charge) => charge.status === "succeeded");
      expect(succeeded).toHaveLength(charges);
      expect(await shop.row(used)).toEqual({ state, response_status: status });
      const payments = await shop.payments();
      expect(payments).toHaveLength(state === "completed" ? 1 : 0);
      const retried = await shop.pay(used);
      expect(retried.status).toBe(status ?? 409);
      expect((await shop.ledger()).filter((charge) => charge.status === "succeeded")).toHaveLength(charges);
      await shop.close();
    },
  );
});
