import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openBody } from "@/lib/idempotency";
import { recoverOperations } from "@/lib/sandbox/service/recover";
import { openShop, ring, type TestShop } from "./shop";

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(() => shop.clear());
afterAll(() => shop.close());

const key = "recovery-key-0001";

test("a crash after the charge is settled from the provider with every step told", async () => {
  await shop.pay(key, { fault: "crash-after-charge" });
  expect(await recoverOperations(shop.service)).toMatchObject({ unknown: 0, settled: 0 }); // its lease still runs
  await shop.passTime();
  expect(await recoverOperations(shop.service)).toMatchObject({ unknown: 1, settled: 1 });
  expect(await shop.kinds(key)).toEqual(["claimed", "effect_started", "lease_expired", "marked_unknown", "recovered"]);
  const [charge] = await shop.ledger();
  const [payment] = await shop.payments();
  expect(payment?.providerReference).toBe(charge?.id);
});

test("the settled answer is the one the first run would have given, sealed", async () => {
  await shop.pay(key, { fault: "lose-answer" });
  await shop.passTime();
  await recoverOperations(shop.service);
  const replay = await shop.pay(key);
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  const body = await replay.text();
  expect(JSON.parse(body)).toMatchObject({ status: "succeeded", amount: 4_200, order: "ORD-1" });
  const { rows } = await shop.database.pool.query("SELECT response_body FROM public.idempotency_keys");
  const operation = { tenant: shop.tenant, endpoint: "POST /v1/payments", key };
  expect(openBody(rows[0].response_body, ring, operation).toString()).toBe(body);
});

test("a charge is not found before the provider's visibility delay, and that settles nothing", async () => {
  await shop.pay(key, { fault: "lose-answer" });
  expect(await recoverOperations(shop.service)).toMatchObject({ settled: 0 });
  expect(await shop.row(key)).toMatchObject({ state: "unknown" });
});

test("a held charge cannot be asked about until it is released", async () => {
  await shop.pay(key, { fault: "lose-answer=hold" });
  await shop.passTime();
  expect(await recoverOperations(shop.service)).toMatchObject({ settled: 0 });
  const [charge] = await shop.ledger();
  await shop.database.pool.query("SELECT sandbox.release_charge($1)", [charge?.id]);
  expect(await recoverOperations(shop.service)).toMatchObject({ settled: 1 });
  expect(await shop.row(key)).toEqual({ state: "completed", response_status: 201 });
});

test("four passes at once settle each operation once", async () => {
  for (let index = 0; index < 12; index++) await shop.pay(`many-${index}-operations`, { fault: "crash-after-charge" });
  await shop.passTime();
  const passes = await Promise.all([1, 2, 3, 4].map(() => recoverOperations(shop.service)));
  expect(passes.reduce((sum, { unknown }) => sum + unknown, 0)).toBe(12);
  await recoverOperations(shop.service);
  expect(await shop.payments()).toHaveLength(12);
  const { rows } = await shop.database.pool.query(
    "SELECT count(*)::int AS times FROM idemdesk.event WHERE kind = 'recovered' GROUP BY key_hash",
  );
  expect(rows.map(({ times }) => times)).toEqual(Array(12).fill(1));
});

test("a run that died is not settled with the charge of the key's earlier life", async () => {
  await shop.pay(key);
  const { pool } = shop.database;
  await pool.query("UPDATE sandbox.provider_charge SET at = at - interval '26 hours'");
  await pool.query("UPDATE public.idempotency_effect SET started_at = started_at - interval '26 hours'");
  await pool.query("UPDATE public.idempotency_keys SET expires_at = clock_timestamp()");
  await pool.query("UPDATE public.idempotency_guard SET free_at = clock_timestamp()");
  expect((await shop.pay(key, { fault: "crash-before-charge" })).status).toBe(502);
  await pool.query("UPDATE public.idempotency_keys SET locked_until = locked_until - interval '1 hour'");
  expect(await recoverOperations(shop.service)).toMatchObject({ unknown: 1, settled: 0 });
  expect(await shop.row(key)).toMatchObject({ state: "unknown" });
});
