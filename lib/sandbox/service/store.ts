import type { Operation, Sql } from "@/lib/idempotency";
import type { Payment, Refund } from "./answers";

/** The operation a business row belongs to: with its time, it outlives the key row. */
export interface BusinessOperation extends Operation {
  /** When the key was claimed. */
  at: string;
}

/** Writes the payment of an operation, unless recovery or an earlier try has written it already. */
export async function savePayment(sql: Sql, operation: BusinessOperation, payment: Payment): Promise<void> {
  await sql.query`
    INSERT INTO sandbox.payment (
      tenant_id, endpoint, idem_key, operation_at, id, status, amount, currency, customer, order_reference,
      description, provider_reference)
    VALUES (
      ${operation.tenant}, ${operation.endpoint}, ${operation.key}, ${operation.at}, ${payment.id}, ${payment.status},
      ${payment.amount}, ${payment.currency}, ${payment.customer}, ${payment.order}, ${payment.description},
      ${payment.providerReference})
    ON CONFLICT DO NOTHING`;
}

export async function saveRefund(sql: Sql, operation: BusinessOperation, refund: Refund): Promise<void> {
  await sql.query`
    INSERT INTO sandbox.refund (
      tenant_id, endpoint, idem_key, operation_at, id, payment_id, status, amount, currency, reason,
      provider_reference)
    VALUES (
      ${operation.tenant}, ${operation.endpoint}, ${operation.key}, ${operation.at}, ${refund.id}, ${refund.payment},
      ${refund.status}, ${refund.amount}, ${refund.currency}, ${refund.reason}, ${refund.providerReference})
    ON CONFLICT DO NOTHING`;
}

/** A tenant's payment by its id or by the shop's order, the newest where an order was paid twice; null for none. */
export async function findPayment(
  sql: Sql,
  tenant: string,
  { payment, order }: { payment?: string | undefined; order?: string | undefined },
): Promise<Payment | null> {
  const [found] = await sql.query<Payment>`
    SELECT id, status, amount::float8 AS amount, currency, customer, order_reference AS order, description,
           provider_reference AS "providerReference"
    FROM sandbox.payment
    WHERE tenant_id = ${tenant}
      AND (${payment ?? null}::text IS NULL OR id = ${payment ?? null})
      AND (${order ?? null}::text IS NULL OR order_reference = ${order ?? null})
    ORDER BY created_at DESC LIMIT 1`;
  return found ?? null;
}
