import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import type { Yardstick } from "../rules/summary";

const Declared = z.object({
  pattern: z.string(),
  assumedLeaseMs: z.int(),
  twinWindowMs: z.int(),
  bodyCodec: z.enum(["plain", "envelope-v1", "opaque"]),
  onInProgress: z.enum(["conflict", "execute"]).nullable(),
  onExpiredLease: z.enum(["conflict", "pending", "execute"]).nullable(),
  onCompleted: z.enum(["replay", "conflict", "execute"]).nullable(),
  onExpired: z.enum(["replay", "execute"]).nullable(),
  onFailed: z.enum(["pending", "replay", "execute"]).nullable(),
  onUnknown: z.enum(["pending", "execute"]).nullable(),
  maskedPointers: z.array(z.string()),
});

const Read = z.object({ now: z.string(), profiles: z.array(Declared).nullable() });

/** The database clock and every endpoint's profile: a few rows, read whole in one statement. */
export async function readYardstick(tx: Transaction): Promise<Yardstick> {
  const [read] = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT idemdesk.utc(clock_timestamp()) AS "now",
           (SELECT jsonb_agg(jsonb_build_object(
              'pattern', pattern, 'assumedLeaseMs', assumed_lease_ms, 'twinWindowMs', twin_window_ms,
              'bodyCodec', body_codec, 'onInProgress', on_in_progress, 'onExpiredLease', on_expired_lease,
              'onCompleted', on_completed, 'onExpired', on_expired, 'onFailed', on_failed, 'onUnknown', on_unknown,
              'maskedPointers', masked_pointers))
            FROM idemdesk.endpoint) AS "profiles"`);
  const { now, profiles } = Read.parse(read);
  return { now, profiles: profiles ?? [] };
}

/** The scope's tenants, by id. */
export async function readTenantIds(tx: Transaction): Promise<string[]> {
  const tenants = await tx.$queryRaw<{ id: string }[]>(
    Prisma.sql`SELECT id::text AS id FROM idemdesk.tenant ORDER BY id`,
  );
  return tenants.map(({ id }) => id);
}
