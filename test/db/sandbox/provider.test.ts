import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AnswerLost, type ChargeRequest, SandboxProvider } from "@/lib/sandbox/provider";
import { type TestDatabase, testDatabase } from "@/test/postgres";

let database: TestDatabase;
let provider: SandboxProvider;
beforeAll(async () => {
  database = await testDatabase();
  provider = new SandboxProvider(database.pool);
});
afterAll(() => database.close());

const patience = () => new AbortController().signal;
const request = (downstreamKey: string): ChargeRequest => ({
  downstreamKey,
  tenantId: "11111111-2222-4333-8444-555555555555",
  customer: "cus_1",
  amount: 9_007_199_254_740_991,
  currency: "EUR",
  kind: "charge",
  metadata: { order: "ORD-1" },
});

async function age(downstreamKey: string, interval: string): Promise<void> {
  await database.pool.query("UPDATE sandbox.provider_charge SET at = at - $2::interval WHERE downstream_key = $1", [
    downstreamKey,
    interval,
  ]);
}

describe("the simulated provider", () => {
  test("charges once under one downstream key, however many ask at once", async () => {
    const charges = await Promise.all(
      Array.from({ length: 8 }, () => provider.charge(request("same"), null, patience())),
    );
    expect(new Set(charges.map(({ id }) => id)).size).toBe(1);
    expect(charges[0]).toMatchObject({ status: "succeeded", amount: 9_007_199_254_740_991 });
  });

  test("forgets a downstream key after a day, and charges again", async () => {
    const first = await provider.charge(request("old"), null, patience());
    await age("old", "23 hours 59 minutes");
    expect((await provider.charge(request("old"), null, patience())).id).toBe(first.id);
    await age("old", "2 minutes");
    expect((await provider.charge(request("old"), null, patience())).id).not.toBe(first.id);
  });

  test("loses the answer, not the charge", async () => {
    await expect(provider.charge(request("lost"), { kind: "lose-answer", hold: false }, patience())).rejects.toThrow(
      AnswerLost,
    );
    expect(await provider.find("lost", "-infinity")).toEqual({ finding: "not_found" });
    await age("lost", "2 seconds");
    expect(await provider.find("lost", "-infinity")).toMatchObject({
      finding: "found",
      charge: { status: "succeeded", metadata: { order: "ORD-1" } },
    });
  });

  test("a slow answer that is not waited for leaves the charge standing", async () => {
    const slow = provider.charge(request("slow"), { kind: "slow", ms: 5_000 }, AbortSignal.timeout(100));
    await expect(slow).rejects.toThrow();
    await age("slow", "2 seconds");
    expect(await provider.find("slow", "-infinity")).toMatchObject({ finding: "found" });
  });

  test("keeps a declined charge as declined, and finds nothing made before the time asked about", async () => {
    const declined = await provider.charge(request("no"), { kind: "decline" }, patience());
    expect(declined.status).toBe("declined");
    await age("no", "1 hour");
    expect(await provider.find("no", "-infinity")).toMatchObject({ charge: { status: "declined" } });
    expect(await provider.find("no", new Date(Date.now() - 60_000).toISOString())).toEqual({ finding: "not_found" });
  });
});
