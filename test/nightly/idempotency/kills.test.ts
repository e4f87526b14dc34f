import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proofDatabase } from "@/test/factories/idempotency-database";
import { points } from "@/test/factories/idempotency-deaths";
import { disagreement, killAt } from "@/test/factories/idempotency-kills";
import type { TestDatabase } from "@/test/postgres";

const times = Number(process.env.IDEMDESK_KILLS ?? 50);

describe.each<LayoutName>(["plain", "daily"])(
  `kill -9 of a real service, ${times} times at each point, %s layout`,
  (layout) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await proofDatabase(layout);
    });
    afterAll(() => database.close());

    test.each(points)("%s: after recovery every operation agrees with the ledger", async (point) => {
      const killed = await killAt(
        Array.from({ length: times }, () => point),
        database,
        layout,
      );
      expect(killed).toHaveLength(times);
      expect(killed.flatMap(disagreement)).toEqual([]);
    });
  },
);
