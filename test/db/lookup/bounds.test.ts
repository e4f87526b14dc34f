import "server-only";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as chainRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/chain/route";
import { GET as detailRoute } from "@/app/api/v1/tenants/[tenantId]/keys/[id]/route";
import { emitEvents, hashOf, insertOperation, later } from "@/test/factories/key-rows";
import { type Desk, openDesk, send, type TestOperator } from "../desk";

/** More events than are read of all other keys together. */
const MANY = 2_010;

let desk: Desk;
let tenantId: string;
let reader: TestOperator;

beforeAll(async () => {
  desk = await openDesk();
  tenantId = await desk.tenant();
  reader = await desk.operator("support", [tenantId]);
});

afterAll(() => desk.close());

async function told(id: string) {
  const [detail, chain] = await Promise.all(
    [detailRoute, chainRoute].map((route) => send(route, { tenantId, id }, { token: reader.token })),
  );
  return { verdict: detail?.json.verdict, chain: chain?.json };
}

const codes = ({ facts }: { facts: { code: string }[] }) => facts.map(({ code }) => code);

/** An operation, and another key of the same request that went through `kind` many times before it was answered. */
async function insertTwins(kind: string) {
  const fingerprint = hashOf(`bounds ${randomUUID()}`);
  const own = await insertOperation(desk.pool, { tenantId, minutesAgo: 20, fingerprint });
  const shared = { tenantId, key: `twin-${randomUUID()}`, fingerprint };
  await emitMany([
    { ...shared, kind: "claimed", at: later(own.createdAt, 1_000), state: "in_progress" },
    ...Array.from({ length: MANY }, (_, at) => ({ ...shared, kind, at: later(own.createdAt, 1_001 + at) })),
    { ...shared, kind: "completed", at: later(own.createdAt, 5_000), state: "completed", responseStatus: 201 },
  ]);
  return own;
}

async function emitMany(events: Parameters<typeof emitEvents>[1]) {
  for (let at = 0; at < events.length; at += 100) await emitEvents(desk.pool, events.slice(at, at + 100));
}

test("attempts turned away under another key do not hide that it executed", async () => {
  const { id } = await insertTwins("conflict");
  const { verdict, chain } = await told(id);
  expect(verdict).toMatchObject({ code: "possibly_repeated", params: { others: 1 } });
  expect(chain).toMatchObject({ complete: true, twins: [{ executed: true, state: "completed" }] });
});

test("another key whose story was cut is not said not to have executed", async () => {
  const { id } = await insertTwins("marked_unknown");
  const { verdict, chain } = await told(id);
  expect(verdict).toMatchObject({ code: "executed_once", params: { others: "unchecked" } });
  expect(verdict.sentence).toContain("were not checked");
  expect(codes(verdict)).not.toContain("othersNone");
  expect(chain.complete).toBe(false);
});

test("claims of one key that fill the bound do not hide the keys after it", async () => {
  const fingerprint = hashOf(`bounds ${randomUUID()}`);
  const own = await insertOperation(desk.pool, { tenantId, minutesAgo: 20, fingerprint });
  const shared = { tenantId, key: `again-${randomUUID()}`, fingerprint };
  await emitMany(
    Array.from({ length: 60 }, (_, at) => [
      { ...shared, kind: "claimed", at: later(own.createdAt, 1_000 + 2 * at), state: "in_progress" },
      { ...shared, kind: "released", at: later(own.createdAt, 1_001 + 2 * at) },
    ]).flat(),
  );
  await insertOperation(desk.pool, { tenantId, minutesAgo: 19, fingerprint });
  const { verdict, chain } = await told(own.id);
  expect(verdict.params).not.toMatchObject({ others: "none" });
  expect(chain.complete).toBe(false);
});

test("a story cut short counts no replays", async () => {
  const own = await insertOperation(desk.pool, { tenantId, minutesAgo: 20 });
  const shared = { tenantId, key: own.key, fingerprint: own.fingerprint, kind: "replayed", responseStatus: 201 };
  await emitMany(Array.from({ length: 520 }, (_, at) => ({ ...shared, at: later(own.createdAt, 1_000 + at) })));
  const { verdict, chain } = await told(own.id);
  expect(verdict).toMatchObject({ code: "executed_once", params: { measured: "cut" } });
  expect(verdict.sentence).not.toMatch(/\d+ later attempts/);
  expect(chain.complete).toBe(false);
});

test("attempts without a key past their bound leave the chain incomplete", async () => {
  const endpoint = "POST /v1/keyless";
  const own = await insertOperation(desk.pool, { tenantId, endpoint, minutesAgo: 20 });
  await emitMany([
    ...Array.from({ length: 201 }, (_, at) => {
      return { tenantId, endpoint, key: null, kind: "rejected", at: later(own.createdAt, 1_000 + at) };
    }),
    { tenantId, endpoint, key: own.key, kind: "replayed", at: later(own.createdAt, 9_000), responseStatus: 201 },
  ]);
  expect((await told(own.id)).chain.complete).toBe(false);
});
