import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reachablePlace } from "@/lib/server/postgres/reach";

/** The user that owns nothing. */
const nobody = { uid: 65_534, gid: 65_534 };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "idemdesk-unit-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a place everybody may pass to is kept", () => {
  chmodSync(folder, 0o711);
  expect(reachablePlace(nobody, join(folder, "data", "postgres"))).toBe(join(folder, "data", "postgres"));
});

test("where the server runs as ourselves, every place is kept", () => {
  chmodSync(folder, 0o700);
  expect(reachablePlace({}, join(folder, "postgres"))).toBe(join(folder, "postgres"));
});

test.skipIf(process.getuid?.() !== 0)("a place behind a closed folder gets another, each time a new one", () => {
  chmodSync(folder, 0o700);
  const places = [reachablePlace(nobody, join(folder, "postgres")), reachablePlace(nobody, join(folder, "postgres"))];
  expect(places).toEqual([expect.stringMatching(/^\/var\/lib\/idemdesk\//), expect.stringMatching(/^\/var\/lib\//)]);
  expect(new Set(places).size).toBe(2);
});
