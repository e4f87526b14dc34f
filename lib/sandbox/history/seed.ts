import { setImmediate } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { BodyKey } from "@/lib/env";
import type { KeyRing } from "@/lib/idempotency";
import { bodyKeyRing } from "@/lib/privacy/key-ring";
import { inOneTransaction } from "../one-transaction";
import { type Random, seededRandom } from "../random";
import { inventTenants, readTenants, type SandboxTenant } from "../tenants";
import { copyRows } from "./copy";
import { fromMs } from "./micros";
import { playStory } from "./play";
import { Records } from "./records";
import { tellStories } from "./stories";
import { batchesOf, tenantBatches } from "./tables";

export interface SeedOptions {
  /** At least so many operations; some stories have two. */
  operations?: number | undefined;
  days?: number | undefined;
  /** Tenants to invent where there are none yet. */
  tenants?: number | undefined;
  /** The same seed and `now` make the same history. */
  seed?: string | undefined;
  /** Where history ends, epoch ms; the database's clock by default. */
  now?: number | undefined;
  /** Seals stored bodies; the environment's ring by default. */
  bodyKeys?: readonly BodyKey[] | undefined;
  progress?: ((note: string) => void) | undefined;
}

const DAY_MS = 86_400_000;
/** Stories played before their rows are loaded: bounds the memory of a long history. */
const STORIES_A_BATCH = 1_000;
const STORIES_A_TURN = 20;

const seeded = [
  "public.idempotency_keys",
  "public.idempotency_guard",
  "public.idempotency_effect",
  "sandbox.payment",
  "sandbox.refund",
  "sandbox.provider_charge",
  "sandbox.operation_kind",
  "idemdesk.event",
];

/** Writes a history of the sandbox's clients, consistent in all tables, whole or not at all. Needs a superuser. */
export async function seedSandbox(superuser: Pool, options: SeedOptions = {}): Promise<void> {
  await inOneTransaction(superuser, async (client) => {
    await client.query("SET LOCAL synchronous_commit = off");
    await write(client, options);
  });
  await superuser.query(`ANALYZE ${seeded.join(", ")}`);
}

async function write(client: PoolClient, options: SeedOptions): Promise<void> {
  const { operations = 50_000, days = 4, bodyKeys, progress } = options;
  const random = seededRandom(options.seed ?? "idemdesk");
  const until = options.now ?? (await databaseClock(client));
  const tenants = await tenantsOf(client, random, options.tenants ?? 24);
  const ring = bodyKeyRing(bodyKeys);
  let records = new Records();
  let loading = Promise.resolve();
  let told = 0;
  for (const story of tellStories(random, tenants, { count: operations, from: until - days * DAY_MS, until })) {
    playStory(story, random, records, fromMs(until));
    told += 1;
    // The next stories are told while the server still loads the last ones: that needs the event loop's turn.
    if (told % STORIES_A_TURN === 0) await setImmediate();
    if (told % STORIES_A_BATCH > 0) continue;
    await loading;
    loading = load(client, records, ring);
    loading.catch(() => undefined); // met where it is awaited, not while stories are still being told
    records = new Records();
    progress?.(`${told} of ${operations} operations`);
  }
  await loading;
  await load(client, records, ring);
}

async function load(client: PoolClient, records: Records, ring: KeyRing | null): Promise<void> {
  for (const batch of batchesOf(records, ring)) await copyRows(client, batch);
}

async function databaseClock(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ ms: string }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS ms",
  );
  return Number(rows[0]?.ms);
}

/** Those already there, so that more history can be added to them; otherwise new ones. */
async function tenantsOf(client: PoolClient, random: Random, count: number): Promise<SandboxTenant[]> {
  const known = await readTenants(client, random);
  if (known.length > 0) return known;
  const invented = inventTenants(random, count);
  for (const batch of tenantBatches(invented)) await copyRows(client, batch);
  return invented;
}
