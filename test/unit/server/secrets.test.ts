import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readEnv } from "@/lib/env";
import { loadSecrets } from "@/lib/server/secrets";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "idemdesk-unit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("made once, all different, readable by their owner alone", () => {
  const secrets = loadSecrets(folder);
  expect(loadSecrets(folder)).toEqual(secrets);
  expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("fit for the variables they become", () => {
  const { bodyKeys, nextAuthSecret } = loadSecrets(folder);
  const settings = readEnv({ IDEMDESK_BODY_KEYS: bodyKeys, NEXTAUTH_SECRET: nextAuthSecret });
  expect(settings.IDEMDESK_BODY_KEYS).toHaveLength(1);
});

test("a damaged file is named and none of it shown", () => {
  writeFileSync(join(folder, "secrets.json"), '{"postgres":"hunter2"');
  expect(() => loadSecrets(folder)).toThrow(/secrets\.json cannot be read\. Restore it from a backup/);
  expect(() => loadSecrets(folder)).not.toThrow(/hunter2/);
});
