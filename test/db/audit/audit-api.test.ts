import "server-only";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as entry from "@/app/api/v1/audit/[chain]/[seq]/route";
import * as audit from "@/app/api/v1/audit/route";
import type { AuditEntry } from "@/lib/audit/schema";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

let desk: Desk;
let tenantA: string;
let tenantB: string;
let finance: TestOperator;
let oncall: TestOperator;
beforeAll(async () => {
  desk = await openDesk();
  [tenantA, tenantB] = [await desk.tenant(), await desk.tenant()];
  finance = await desk.operator("finance", [tenantA]);
  oncall = await desk.operator("oncall", [tenantA]);
  const append = (chain: string, actor: string, count: number) =>
    desk.pool.query(
      `SELECT idemdesk.append_audit($1, jsonb_build_object('kind', 'operator', 'id', $2::text, 'label', 'x'),
         'key.revealed', '{"type":"key","id":"7"}', 'done', 'ticket 1', '{"what":"body"}')
       FROM generate_series(1, $3)`,
      [chain, actor, count],
    );
  await append(tenantA, finance.id, 7);
  await append(tenantA, oncall.id, 2);
  await append(tenantB, oncall.id, 3);
});
afterAll(() => desk.close());

const list = (who: TestOperator, query = "") => send(audit.GET, {}, { token: who.token, query });

describe("the list", () => {
  test("pages newest first through one's tenants, each entry once", async () => {
    const seen: AuditEntry[] = [];
    let query = "limit=4";
    while (query) {
      const { json } = await list(finance, query);
      seen.push(...json.items);
      query = json.nextCursor && `limit=4&cursor=${json.nextCursor}`;
    }
    expect(seen.map(({ chain, seq }) => `${chain} ${seq}`)).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1].map((seq) => `${tenantA} ${seq}`),
    );
  });

  test("filters by actor, action, target and time", async () => {
    const count = async (query: string) => (await list(finance, query)).json.items.length;
    expect(await count(`actorId=${oncall.id}`)).toBe(2);
    expect(await count("action=key.revealed&targetType=key&targetId=7")).toBe(9);
    expect(await count("action=view.saved")).toBe(0);
    const { at } = (await list(finance, "limit=3")).json.items[2];
    expect(await count(`from=${at}`)).toBe(3);
    expect(await count(`to=${at}`)).toBe(6);
    expect((await list(finance, "action=nonsense")).status).toBe(400);
    expect((await list(finance, "from=yesterday")).status).toBe(400);
  });

  test("on-call sees its own actions and nobody else's", async () => {
    const { json } = await list(oncall);
    expect(json.items).toHaveLength(2);
    expect(new Set(json.items.map(({ actor }: AuditEntry) => actor.id))).toEqual(new Set([oncall.id]));
    expect((await send(entry.GET, { chain: tenantA, seq: "1" }, { token: oncall.token })).status).toBe(404);
    expect((await send(entry.GET, { chain: tenantA, seq: "8" }, { token: oncall.token })).status).toBe(200);
  });

  test("the system's chain is read under all tenants only", async () => {
    const auditor = await desk.operator("auditor");
    await list(auditor);
    expect((await list(auditor, "chain=system")).json.items.length).toBeGreaterThan(0);
    const ofA = await list(finance, "chain=system");
    expect(ofA.json.items).toEqual([]);
  });
});

test("an entry carries the exact text that its hash is over", async () => {
  const { json: first } = await send(entry.GET, { chain: tenantA, seq: "1" }, { token: finance.token });
  const { json: second } = await send(entry.GET, { chain: tenantA, seq: "2" }, { token: finance.token });
  expect(first.previousHash).toBe("0".repeat(64));
  expect(second.previousHash).toBe(first.hash);
  for (const { previousHash, text, hash } of [first, second]) {
    expect(createHash("sha256").update(Buffer.from(previousHash, "hex")).update(text, "utf8").digest("hex")).toBe(hash);
  }
  const { previousHash: _, hash: __, text, ...fields } = second;
  expect(JSON.parse(text)).toEqual(fields);
});

test.each([
  ["0", 400],
  ["x", 400],
  ["99999999999999999999", 400],
  ["10", 404],
])("entry %s is %i", async (seq, status) => {
  expect((await send(entry.GET, { chain: tenantA, seq }, { token: finance.token })).status).toBe(status);
});
