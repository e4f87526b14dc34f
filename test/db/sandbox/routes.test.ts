import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as release from "@/app/api/sandbox/v1/ledger/[id]/release/route";
import * as ledger from "@/app/api/sandbox/v1/ledger/route";
import * as payments from "@/app/api/sandbox/v1/payments/route";
import * as credentials from "@/app/api/v1/sandbox/credentials/route";
import { hashKey } from "@/lib/idempotency";
import { sandboxApi } from "@/lib/sandbox/service/api";
import { type Desk, openDesk, send, type TestOperator } from "../desk";
import { order } from "./shop";

let desk: Desk;
let admin: TestOperator;
let tenants: { tenantId: string; name: string; apiKey: string }[];

beforeAll(async () => {
  desk = await openDesk();
  process.env.IDEMDESK_SANDBOX_DATABASE_URL = desk.urlFor("sandbox_payments");
  admin = await desk.operator("admin");
  for (const [name, share] of [
    ["Small", 1],
    ["Large", 20],
  ]) {
    const id = await desk.tenant(String(name));
    await desk.pool.query("INSERT INTO sandbox.tenant (id, name, api_key, share) VALUES ($1, $2, $3, $4)", [
      id,
      name,
      `key-of-${name}`,
      share,
    ]);
  }
  tenants = (await send(credentials.GET, {}, { token: admin.token })).json;
});
afterAll(async () => {
  await sandboxApi()?.service.sink.close();
  await sandboxApi()?.service.pool.end();
  await desk.close();
});

async function pay(apiKey: string, fault: string, customer = randomUUID()) {
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Sandbox-Fault": fault };
  const body = JSON.stringify({ ...order, customer });
  const all = new Headers({ ...headers, "Idempotency-Key": randomUUID() });
  const sent = new Request("http://desk.test/api/sandbox/v1/payments", { method: "POST", headers: all, body });
  return { customer, response: await payments.POST(sent) };
}

const read = async (query: string, token = admin.token) => (await send(ledger.GET, {}, { token, query })).json.items;

describe("credentials", () => {
  test("name each tenant, the largest first, for an administrator", () => {
    expect(tenants.map(({ name, apiKey }) => [name, apiKey])).toEqual([
      ["Large", "key-of-Large"],
      ["Small", "key-of-Small"],
    ]);
  });

  test("are for nobody else", async () => {
    for (const role of ["support", "oncall", "finance", "auditor"] as const) {
      const { token } = await desk.operator(role);
      expect((await send(credentials.GET, {}, { token })).status).toBe(403);
      expect((await send(ledger.GET, {}, { token })).status).toBe(403);
    }
    expect((await send(credentials.GET)).status).toBe(401);
  });

  test("of one tenant are all that its own administrator sees", async () => {
    const { token } = await desk.operator("admin", [tenants[1]?.tenantId ?? ""]);
    expect((await send(credentials.GET, {}, { token })).json).toEqual([tenants[1]]);
  });
});

describe("the ledger", () => {
  test("tells what the provider did, newest first", async () => {
    const { customer } = await pay("key-of-Large", "slow=0");
    await pay("key-of-Large", "decline", customer);
    const items = await read(`tenantId=${tenants[0]?.tenantId}&customer=${customer}`);
    expect(items.map(({ status }: { status: string }) => status)).toEqual(["declined", "succeeded"]);
    expect(Object.keys(items[0])).toEqual([
      "id",
      "tenantId",
      "customer",
      "amount",
      "currency",
      "status",
      "downstreamKeyHash",
      "at",
    ]);
    expect(items[0]).toMatchObject({ tenantId: tenants[0]?.tenantId, amount: 4_200, currency: "EUR" });
    expect(items[0].at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const { rows } = await desk.pool.query("SELECT downstream_key AS key FROM sandbox.provider_charge WHERE id = $1", [
      items[0].id,
    ]);
    expect(items[0].downstreamKeyHash).toBe(hashKey(rows[0].key));
  });

  test("shows no other tenant's charges to an administrator of one", async () => {
    const { customer } = await pay("key-of-Large", "slow=0");
    const { token } = await desk.operator("admin", [tenants[1]?.tenantId ?? ""]);
    expect(await read(`customer=${customer}`, token)).toEqual([]);
    expect(await read(`customer=${customer}`)).toHaveLength(1);
  });
});

describe("releasing a held charge", () => {
  const free = (id: string, as = admin) => send(release.POST, { id }, { token: as.token });

  test("is done once and audited in the tenant's chain", async () => {
    const { customer } = await pay("key-of-Small", "lose-answer=hold");
    const [{ id, tenantId }] = await read(`customer=${customer}`);
    expect((await free(id)).json).toEqual({ id, tenantId });
    const { rows } = await desk.pool.query("SELECT held FROM sandbox.provider_charge WHERE id = $1", [id]);
    expect(rows).toEqual([{ held: false }]);
    const entries = await desk.entries("sandbox.charge_released");
    expect(entries).toMatchObject([{ chain: tenantId, target_id: id, outcome: "done", actor_id: admin.id }]);
  });

  test("of another tenant, or of a charge that is not there, changes nothing and looks the same", async () => {
    const { customer } = await pay("key-of-Large", "lose-answer=hold");
    const [{ id }] = await read(`customer=${customer}`);
    const other = await desk.operator("admin", [tenants[1]?.tenantId ?? ""]);
    const [foreign, missing] = [await free(id, other), await free(`ch_${"0".repeat(24)}`, other)];
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(foreign.json.detail).toBe(missing.json.detail);
    const { rows } = await desk.pool.query("SELECT held FROM sandbox.provider_charge WHERE id = $1", [id]);
    expect(rows).toEqual([{ held: true }]);
  });
});
