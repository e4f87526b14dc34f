import "server-only";
import { Prisma, type Transaction } from "@/lib/db/client";
import { attemptsOf } from "../rules/attempts";
import type { EventRow } from "../rules/model";
import { eventColumns, eventOrder, parseEvents } from "./event-rows";
import type { Hit } from "./hits";

type Operation = Pick<Hit, "tenantId" | "endpoint" | "keyHash">;

/** Attempts without a key that are looked through for those of one client. */
const MOST_KEYLESS = 200;

/** Every event of one key, in order of time, from the first. */
export async function readEvents(tx: Transaction, operation: Operation, limit: number): Promise<EventRow[]> {
  const events = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${eventColumns}
    FROM idemdesk.event AS e
    WHERE e.tenant_id = ${operation.tenantId}::uuid
      AND e.key_hash = decode(${operation.keyHash}, 'hex')
      AND e.endpoint = ${operation.endpoint}
    ORDER BY ${eventOrder}
    LIMIT ${limit}`);
  return parseEvents(events);
}

/**
 * Attempts of the same endpoint that came without a key between the first and the last attempt of this operation;
 * `whole` where there were no more than are read.
 */
export async function readKeyless(
  tx: Transaction,
  { tenantId, endpoint }: Operation,
  events: readonly EventRow[],
): Promise<{ events: EventRow[]; whole: boolean }> {
  const attempts = attemptsOf(events);
  const [first, last] = [attempts[0]?.at, attempts.at(-1)?.at];
  if (attempts.length < 2 || first === undefined || last === undefined) return { events: [], whole: true };
  const keyless = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${eventColumns}
    FROM idemdesk.event AS e
    WHERE e.tenant_id = ${tenantId}::uuid
      AND e.key_hash IS NULL
      AND e.endpoint = ${endpoint}
      AND e.occurred_at > ${first}::timestamptz
      AND e.occurred_at < ${last}::timestamptz
    ORDER BY ${eventOrder}
    LIMIT ${MOST_KEYLESS + 1}`);
  return { events: parseEvents(keyless.slice(0, MOST_KEYLESS)), whole: keyless.length <= MOST_KEYLESS };
}
