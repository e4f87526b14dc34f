import { afterAll, beforeAll, describe, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proveInterleavings } from "@/test/factories/idempotency-commands";
import { proofDatabase } from "@/test/factories/idempotency-database";
import type { TestDatabase } from "@/test/postgres";

describe.each<LayoutName>(["plain", "daily"])("random interleavings, %s layout", (layout) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await proofDatabase(layout);
  });
  afterAll(() => database.close());

  test("no double execution, no lost result, no invented success", async () => {
    await proveInterleavings(database.pool, layout, { numRuns: 100, seed: 20261130 });
  });
});
