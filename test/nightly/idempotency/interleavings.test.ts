import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proveInterleavings } from "@/test/factories/idempotency-commands";
import { proofDatabase } from "@/test/factories/idempotency-database";
import type { TestDatabase } from "@/test/postgres";

const numRuns = Number(process.env.IDEMDESK_MODEL_RUNS ?? 2_000);

/** What the runs must have met, or they have proved less than they say. */
const met = [
  "answer 201 {}",
  "answer 402 {}",
  "answer 403 refused",
  "answer 409 outcome_pending",
  "answer 409 request_in_progress",
  "answer 422 idempotency_key_reuse",
  "answer 500 internal_error",
  "answer 502 outcome_unknown",
  "answer replay 201 {}",
  "answer replay 402 {}",
  "claimed",
  "claimed again",
  "in_progress → completed by its owner",
  "in_progress → completed by recovery",
  "in_progress → failed by recovery",
  "in_progress → unknown by its owner",
  "in_progress → unknown by recovery",
  "lapsed and removed by cleanup",
  "released",
  "unknown → completed by settlement",
];

describe.each<LayoutName>(["plain", "daily"])("random interleavings, %s layout", (layout) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await proofDatabase(layout);
  });
  afterAll(() => database.close());

  test(`${numRuns} runs agree with the model and meet every change and answer`, async () => {
    const tally = await proveInterleavings(database.pool, layout, { numRuns });
    expect([...tally.keys()]).toEqual(expect.arrayContaining(met));
  });
});
