import { downstreamKey, type Operation } from "@/lib/idempotency";
import type { TestDatabase } from "@/test/postgres";
import type { Child } from "./idempotency-child";
import type { Order } from "./idempotency-service";

export function operationOf({ mode, tenant, key }: Order): Operation {
  return { tenant, endpoint: `POST /v1/${mode}`, key };
}

/** Charges the provider's own ledger holds for an operation. */
export async function chargesOf(provider: Child, operation: Operation): Promise<string[]> {
  const response = await fetch(`${provider.url}/?key=${downstreamKey(operation, "charge")}`);
  return ((await response.json()) as { reference: string }[]).map(({ reference }) => reference);
}

export async function businessRowsOf(database: TestDatabase, { tenant, endpoint, key }: Operation): Promise<string[]> {
  const { rows } = await database.pool.query(
    "SELECT reference FROM business WHERE tenant_id = $1 AND endpoint = $2 AND idem_key = $3",
    [tenant, endpoint, key],
  );
  return rows.map(({ reference }) => reference);
}

/** References of everything that really happened under an order: the provider's ledger, or the business rows. */
export function happened(database: TestDatabase, provider: Child, order: Order): Promise<string[]> {
  const operation = operationOf(order);
  return order.mode === "external" ? chargesOf(provider, operation) : businessRowsOf(database, operation);
}
