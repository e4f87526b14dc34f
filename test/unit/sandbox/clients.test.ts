import { describe, expect, test } from "vitest";
import { readKey } from "@/lib/idempotency";
import { type ClientKind, clientKinds, Pen, type Shop } from "@/lib/sandbox/clients";
import { parseFault } from "@/lib/sandbox/fault";
import { seededRandom } from "@/lib/sandbox/random";

const startedAt = Date.UTC(2026, 10, 30, 12);

function tell(kind: ClientKind, seed = kind.name) {
  const shop: Shop = { tenantId: "11111111-2222-4333-8444-555555555555", counter: 4_711 };
  return kind.tell(new Pen(seededRandom(seed), shop, startedAt));
}

describe("the kinds of clients", () => {
  test("have names of their own and shares that add up", () => {
    expect(new Set(clientKinds.map(({ name }) => name)).size).toBe(clientKinds.length);
    expect(clientKinds.reduce((sum, { weight }) => sum + weight, 0)).toBe(10_000);
  });

  test.each(clientKinds)("$name tells the same story for the same seed, and another for another", (kind) => {
    expect(tell(kind, "a")).toEqual(tell(kind, "a"));
    expect(tell(kind, "a")).not.toEqual(tell(kind, "b"));
  });

  test.each(clientKinds)("$name sends what HTTP and the sandbox can read", (kind) => {
    for (const { key, fault, requestId, traceparent } of tell(kind)) {
      if (key !== null) expect(readKey(key)).toEqual({ ok: true, key });
      if (fault !== null) expect(parseFault(fault)).not.toBeNull();
      expect(requestId).toMatch(/^[\x21-\x7e]{8,64}$/);
      expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    }
  });

  test("that keep the contract use one key per operation and a fresh request id per attempt", () => {
    for (const kind of clientKinds.filter(({ expected }) => expected.hints.length === 0)) {
      const attempts = tell(kind);
      const ids = attempts.map(({ requestId }) => requestId);
      expect(new Set(ids).size, kind.name).toBe(ids.length);
    }
  });

  test("five gateways send fifteen attempts under one key", () => {
    const attempts = tell(kindOf("five_gateways"));
    expect(attempts).toHaveLength(15);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
  });

  test("honest repeat purchases are two operations, the second after the first was answered", () => {
    const [first, second] = tell(kindOf("honest_repeat_purchase"));
    expect(first?.key).not.toBe(second?.key);
    expect(first?.body).not.toBe(second?.body);
    expect(second?.atMs).toBeGreaterThan(60_000);
  });

  test("a new key per attempt goes out before the first answer", () => {
    const [first, second] = tell(kindOf("new_key_per_attempt"));
    expect(first?.body).toBe(second?.body);
    expect(second?.atMs).toBeLessThan(3_000);
  });
});

function kindOf(name: string): ClientKind {
  const kind = clientKinds.find((known) => known.name === name);
  if (!kind) throw new Error(`No kind ${name}`);
  return kind;
}
