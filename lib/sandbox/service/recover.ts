import {
  createStore,
  type Operation,
  type ProviderAnswer,
  type Recovered,
  recover,
  type Sql,
  settleUnknown,
} from "@/lib/idempotency";
import { endpoints, SOURCE } from "../endpoints";
import type { Charge } from "../provider";
import { paymentAnswer, refundAnswer, toResponse } from "./answers";
import { paymentOf, refundOf } from "./records";
import type { Service } from "./service";
import { savePayment, saveRefund } from "./store";

/** The provider's answer about one operation, and the run it belongs to. */
interface Evidence extends ProviderAnswer {
  operationAt: string;
  charge?: Charge;
}

const store = createStore("daily");

/**
 * One pass of the service's own recovery. Operations whose owner is gone become `unknown`, because the provider may
 * have been called; then the provider is asked, read-only, about every unknown one, and what it found settles it.
 */
export async function recoverOperations(service: Service): Promise<Recovered & { settled: number }> {
  const { db, sink, report, ring, provider } = service;
  const pass = { db, store, sink, source: SOURCE, report };
  const recovered = await recover({ ...pass, profile: () => ({ mode: "external" }) });
  const settled = await settleUnknown<Evidence>({
    ...pass,
    ask: async (operation) => {
      const effect = await effectOf(db, operation);
      if (!effect) return null;
      const found = await provider.find(effect.downstreamKey, effect.startedAt);
      const { operationAt } = effect;
      return found.finding === "found" ? evidence(found.charge, operationAt) : { finding: found.finding, operationAt };
    },
    settle,
    keep: ring ? { keyRing: ring } : {},
  });
  return { ...recovered, settled };
}

interface EffectRow {
  downstreamKey: string;
  startedAt: string;
  operationAt: string;
}

/** The effect of the run that the guard names: an earlier run of a re-used key says nothing about this one. */
async function effectOf(sql: Sql, { tenant, endpoint, key }: Operation): Promise<EffectRow | null> {
  const [row] = await sql.query<EffectRow>`
    SELECT e.downstream_key AS "downstreamKey", e.started_at::text AS "startedAt",
           e.key_created_at::text AS "operationAt"
    FROM public.idempotency_guard AS g
    JOIN public.idempotency_effect AS e USING (tenant_id, endpoint, idem_key, key_created_at)
    WHERE g.tenant_id = ${tenant} AND g.endpoint = ${endpoint} AND g.idem_key = ${key}`;
  return row ?? null;
}

function evidence(charge: Charge, operationAt: string): Evidence {
  const { id, status, amount, currency, customer, metadata } = charge;
  const references = [metadata.order, metadata.invoice].filter((reference) => reference !== undefined);
  return {
    finding: status === "declined" ? "found_declined" : "found_succeeded",
    operationAt,
    charge,
    providerReference: id,
    amount,
    currency,
    customer,
    ...(references.length > 0 && { references }),
  };
}

/** Writes the business record that the lost run did not, and answers as it would have. */
async function settle(tx: Sql, operation: Operation, { charge, operationAt }: Evidence): Promise<Response> {
  if (!charge) throw new Error("Only a charge that was found settles an operation");
  const business = { ...operation, at: operationAt };
  if (operation.endpoint === endpoints.refunds.pattern) {
    const refund = refundOf(charge);
    await saveRefund(tx, business, refund);
    return toResponse(refundAnswer(refund));
  }
  const payment = paymentOf(charge);
  await savePayment(tx, business, payment);
  return toResponse(paymentAnswer(payment));
}
