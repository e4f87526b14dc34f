import "server-only";
import type { Sql } from "@/lib/idempotency";
import { type Database, database, Prisma, type Transaction } from "./client";
import { type Scope, scopeSetting } from "./scope";

/** How long a desk transaction may live, in ms: above the statement timeout, so that PostgreSQL's own answer comes first. */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** How long a request waits for a pooled connection, in ms, before it says the database is busy. */
const CONNECTION_WAIT_MS = 3_000;

const limits = { timeout: TRANSACTION_TIMEOUT_MS, maxWait: CONNECTION_WAIT_MS };

/** Reads under the scope, in a transaction that PostgreSQL keeps read-only. */
export function scopedRead<T>(
  scope: Scope,
  run: (tx: Transaction) => Promise<T>,
  on: Database = database(),
): Promise<T> {
  return on.$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT set_config('idemdesk.tenants', ${scopeSetting(scope)}, true),
             set_config('idemdesk.principal', ${scope.principalId}, true),
             set_config('transaction_read_only', 'on', true)`;
    return run(tx);
  }, limits);
}

/** Changes something under the scope; the audit entry is appended last, in the same transaction. */
export function scopedWrite<T>(
  scope: Scope,
  run: (tx: Transaction) => Promise<T>,
  on: Database = database(),
): Promise<T> {
  return on.$transaction(async (tx) => {
    await enterScope(tx, scope);
    return run(tx);
  }, limits);
}

/** Sets the scope for the rest of the transaction only: a session setting would outlive the request in the pool. */
export async function enterScope(tx: Transaction, scope: Scope): Promise<void> {
  await tx.$queryRaw`
    SELECT set_config('idemdesk.tenants', ${scopeSetting(scope)}, true),
           set_config('idemdesk.principal', ${scope.principalId}, true)`;
}

/** A Prisma transaction as the contract library's SQL interface. */
export function transactionSql(tx: Transaction): Sql {
  return {
    query: <Row>(strings: TemplateStringsArray, ...values: unknown[]) =>
      tx.$queryRaw<Row[]>(Prisma.sql([...strings], ...values)),
  };
}
