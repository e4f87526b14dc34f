import { describe, expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proofDatabase } from "@/test/factories/idempotency-database";
import { race } from "@/test/factories/idempotency-race";

/** Ms. Real processes have to start before they race; a laden machine takes seconds over every one. */
const PATIENCE = 240_000;

describe.each<LayoutName>(["plain", "daily"])("real processes race for the same keys, %s layout", (layout) => {
  test(
    "every key runs once; losers get 409 or the replay",
    async () => {
      const database = await proofDatabase(layout);
      const { told, wrong } = await race(database, layout, { processes: 2, keys: 60, duplicates: 4 });
      await database.close();
      expect(wrong).toEqual([]);
      expect(told.get("first")).toBe(60);
      expect(new Set(told.keys())).toEqual(new Set(["first", "replay", "request_in_progress"]));
    },
    PATIENCE,
  );
});
