import { expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proofDatabase } from "@/test/factories/idempotency-database";
import { points } from "@/test/factories/idempotency-deaths";
import { disagreement, killAt } from "@/test/factories/idempotency-kills";

/** Ms. Each kill starts real processes; a laden machine takes seconds over every one. */
const PATIENCE = 240_000;

/** Half of the points in each layout; the nightly form kills fifty times at each, in both. */
test.each<[LayoutName, number]>([
  ["plain", 0],
  ["daily", 1],
])(
  "kill -9 of a real service, %s layout: after recovery clients are told what happened",
  async (layout, half) => {
    const database = await proofDatabase(layout);
    const killed = await killAt(
      points.filter((_, index) => index % 2 === half),
      database,
      layout,
    );
    await database.close();
    expect(killed.flatMap(disagreement)).toEqual([]);
  },
  PATIENCE,
);
