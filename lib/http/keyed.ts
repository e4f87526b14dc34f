import "server-only";
import type { Transaction } from "@/lib/db/client";
import type { Scope } from "@/lib/db/scope";
import { scopedWrite, transactionSql } from "@/lib/db/transaction";
import { type Database, idempotent, memoryRateLimit, NotExecuted, type Sql } from "@/lib/idempotency";
import { bodyKeyRing } from "@/lib/privacy/key-ring";
import { type Call, problemResponse } from "./call";
import { logger } from "./logger";
import { toAppError } from "./problem";

/** Longer than a desk transaction may live, in ms, so that a live one never loses its claim. */
const LEASE_MS = 30_000;
/** A day: an operator's tab may send a form again after a night's sleep. */
const TTL_MS = 24 * 3_600_000;

/** Where the keys of our own writes are kept, in the plain layout. */
export const requestTables = { keys: "idemdesk.request" };

const newKeys = memoryRateLimit();

interface Keyed {
  call: Call;
  scope: Scope;
  body: Uint8Array<ArrayBuffer>;
  store: "never" | undefined;
}

/**
 * Runs a change once under the request's Idempotency-Key, in one transaction that also keeps its answer. Keys belong to
 * the principal. An error rolls everything back and frees the key, since it is then proved that nothing happened.
 */
export async function runKeyed(
  request: Request,
  { call, scope, body, store }: Keyed,
  run: (tx: Transaction) => Promise<Response>,
): Promise<Response> {
  const keyRing = bodyKeyRing();
  const handle = idempotent(
    {
      db: scopedDatabase(scope),
      layout: "plain",
      tables: requestTables,
      endpoint: call.endpoint,
      mode: "atomic",
      leaseMs: LEASE_MS,
      ttlMs: TTL_MS,
      keep: { body: store !== "never", ...(keyRing && { keyRing }) },
      rateLimit: newKeys,
      report: (error) => logger().error({ requestId: call.requestId, endpoint: call.endpoint, error }),
    },
    async (_, { tx }) => {
      try {
        return await run(tx.prisma);
      } catch (error) {
        throw new NotExecuted(problemResponse(toAppError(error), call));
      }
    },
  );
  const { method, url, headers, signal } = request;
  const again = new Request(url, { method, headers, signal, ...(body.byteLength > 0 && { body }) });
  return withRequestId(await handle(again, { tenant: scope.principalId }), call.requestId);
}

/** The Prisma transaction beside the library's own view of it. */
type ScopedSql = Sql & { prisma: Transaction };

/** Each statement under the principal's scope: row-level security shows a principal its own keys alone. */
function scopedDatabase(scope: Scope): Database<ScopedSql> {
  return {
    query: (strings, ...values) => scopedWrite(scope, (tx) => transactionSql(tx).query(strings, ...values)),
    transaction: (run) => scopedWrite(scope, (tx) => run({ ...transactionSql(tx), prisma: tx })),
  };
}

/** The library's own problems know no request id; those of the desk all carry one. */
async function withRequestId(response: Response, requestId: string): Promise<Response> {
  if (response.headers.get("content-type") !== "application/problem+json") return response;
  const { type, ...problem } = await response.json();
  const named = type === "about:blank" ? `urn:idemdesk:problem:${problem.code}` : type;
  return new Response(JSON.stringify({ type: named, detail: problem.title, ...problem, requestId }), response);
}
