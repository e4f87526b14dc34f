import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proveInterleavings } from "@/test/factories/idempotency-commands";
import { proofDatabase } from "@/test/factories/idempotency-database";
import type { TestDatabase } from "@/test/postgres";

const numRuns = Number(process.env.IDEMDESK_MODEL_RUNS ?? 2_000);

describe.each<LayoutName>(["plain", "daily"])("random interleavings, %s layout", (layout) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await proofDatabase(layout);
  });
  afterAll(() => database.close());

  test(`${numRuns} runs agree with the model and meet every change and answer it knows`, async () => {
    const tally = await proveInterleavings(database.pool, layout, { numRuns });
    console.info(layout, Object.fromEntries([...tally].sort()));
    expect([...tally.keys()].sort()).toEqual([]);
  });
});
