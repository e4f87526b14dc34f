import { randomBytes } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { v4 } from "uuid";
import type { Shop } from "./clients";
import type { Random } from "./random";

/** A tenant of history. `weight` is its share of the traffic: a few large ones, many small. */
export interface SandboxTenant extends Shop {
  name: string;
  apiKey: string;
  weight: number;
}

const NAMES = [
  "Aster Coffee",
  "Birch & Bone",
  "Cedar Cycles",
  "Dune Outdoor",
  "Ember Kitchen",
  "Fjord Audio",
  "Grove Books",
  "Harbour Tea",
  "Indigo Prints",
  "Juniper Skin",
  "Kestrel Travel",
  "Lumen Lamps",
  "Meadow Pets",
  "Nimbus Games",
  "Orchard Market",
  "Pebble Toys",
  "Quarry Stone",
  "Rowan Shoes",
  "Saffron Table",
  "Tidal Surf",
  "Umber Leather",
  "Vesper Wine",
  "Willow Home",
  "Yarrow Health",
];

/** Sizes two orders of magnitude apart, largest first. API keys are real secrets, so the seed does not make them. */
export function inventTenants(random: Random, count: number): SandboxTenant[] {
  const weights = Array.from({ length: count }, () => random.logarithmic(1, 150)).sort((a, b) => b - a);
  return weights.map((weight, index) => ({
    tenantId: v4({ random: random.bytes(16) }),
    name: tenantName(index),
    apiKey: `sk_sandbox_${randomBytes(18).toString("base64url")}`,
    weight,
    counter: firstNumber(random),
  }));
}

/** The tenants of the database, largest first. Each goes on counting from a number of chance. */
export async function readTenants(sql: Pool | PoolClient, random: Random): Promise<SandboxTenant[]> {
  const { rows } = await sql.query<Omit<SandboxTenant, "counter">>(
    `SELECT id AS "tenantId", name, api_key AS "apiKey", share AS weight FROM sandbox.tenant ORDER BY share DESC, id`,
  );
  return rows.map((row) => ({ ...row, counter: firstNumber(random) }));
}

function firstNumber(random: Random): number {
  return 100_000 + random.integer(0, 800_000);
}

function tenantName(index: number): string {
  const name = NAMES[index % NAMES.length] ?? "";
  const round = Math.floor(index / NAMES.length);
  return round === 0 ? name : `${name} ${round + 1}`;
}
