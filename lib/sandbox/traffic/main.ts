import { createPool } from "@/lib/db/client";
import { requiredEnv } from "@/lib/env";
import { logger } from "@/lib/http/logger";
import { hashKey } from "@/lib/idempotency";
import { endpoints } from "../endpoints";
import { systemRandom } from "../random";
import { readTenants } from "../tenants";
import type { Shopper } from "./shopper";
import { sendTraffic, type TrafficCounts } from "./traffic";

/** Clients that begin in a second: alive to look at, and no load. */
const PER_SECOND = 2;
const TELL_EVERY_MS = 60_000;

/** The sandbox's live clients: sends real requests to the running desk, whose address it is given, until SIGTERM. */
async function main([address]: string[]): Promise<void> {
  if (address === undefined) throw new Error("The address of the desk is missing");
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  process.once("SIGINT", () => stop.abort());
  const pool = createPool(requiredEnv("IDEMDESK_SANDBOX_DATABASE_URL"), { applicationName: "sandbox-traffic", max: 2 });
  const random = systemRandom();
  const tenants = await readTenants(pool, random);
  const counts: TrafficCounts = { clients: 0, as_planned: 0, otherwise: 0, unanswered: 0 };
  const telling = setInterval(() => logger().info({ source: "traffic", ...counts }), TELL_EVERY_MS);
  await sendTraffic(
    {
      random,
      tenants,
      address,
      perSecond: PER_SECOND,
      signal: stop.signal,
      onDone: (shopper) => keepTruth(pool, shopper),
      report: (error) => logger().warn({ source: "traffic", error }),
    },
    counts,
  );
  clearInterval(telling);
  await pool.end();
}

/** Writes down which kind of client made each operation, for tests that compare the desk with it. */
async function keepTruth(pool: ReturnType<typeof createPool>, { kind, tenant, attempts }: Shopper): Promise<void> {
  const { verdict, hints, charges } = kind.expected;
  for (const { key, resource } of attempts) {
    if (key === null) continue;
    await pool.query(
      `INSERT INTO sandbox.operation_kind (tenant_id, endpoint, key_hash, kind, verdict, hints, charges)
       VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [tenant.tenantId, endpoints[resource].pattern, hashKey(key), kind.name, verdict, hints, charges],
    );
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    logger().fatal({ source: "traffic", error });
    process.exit(1);
  },
);
