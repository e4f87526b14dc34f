import { describe, expect, test } from "vitest";
import type { LayoutName } from "@/lib/idempotency";
import { proofDatabase } from "@/test/factories/idempotency-database";
import { race } from "@/test/factories/idempotency-race";

/** Every process gets every key eight times: 16,000 requests, 32 at once for each key. */
const size = { processes: 4, keys: 500, duplicates: 8 };

describe.each<LayoutName>(["plain", "daily"])("real processes race for the same keys, %s layout", (layout) => {
  test("every key runs once; losers get 409 or the replay", async () => {
    const database = await proofDatabase(layout);
    const { told, wrong } = await race(database, layout, size);
    await database.close();
    expect(wrong).toEqual([]);
    expect(told.get("first")).toBe(size.keys);
    expect(new Set(told.keys())).toEqual(new Set(["first", "replay", "request_in_progress"]));
    expect([...told.values()].reduce((sum, n) => sum + n)).toBe(size.processes * size.keys * size.duplicates);
  });
});
