import { downstreamKey, hashKey } from "@/lib/idempotency";
import { CHARGE_STEP, TTL_MS } from "../endpoints";
import { type Answer, paymentAnswer, receiptFailed, refundAnswer } from "../service/answers";
import { metadataOf, paymentRecord, refundRecord } from "./business";
import type { Turn } from "./course";
import { fromMs, type Micros } from "./micros";
import type { ChargeRecord, HistoryEvent } from "./records";
import { emit, type Run, type Stage } from "./stage";

/** Lets one turn of a run's course happen: rows, the provider's ledger and events together. */
export function takeTurn({ step, afterMs }: Turn, run: Run, at: Micros, stage: Stage): void {
  const byOwner = { ...run.owner.identity, durationMs: Math.round(afterMs) };
  const tell = (kind: HistoryEvent["kind"], more: Partial<HistoryEvent>) =>
    emit(stage, run.row, kind, at, { ...run.facts, ...more });
  switch (step) {
    case "effect_started":
      startEffect(run, at, stage);
      break;
    case "charge":
      charge(run, at, stage);
      break;
    case "released":
      tell("released", { ...byOwner, responseStatus: 400 });
      break;
    case "marked_unknown":
      run.row.state = "unknown";
      tell("marked_unknown", { ...byOwner, state: "unknown", responseStatus: 502 });
      break;
    case "completed":
      run.row.answer = settle(run, at, stage);
      tell("completed", { ...byOwner, state: "completed", responseStatus: run.row.answer.status });
      break;
    case "lease_expired":
      emit(stage, run.row, "lease_expired", at, {});
      break;
    case "abandoned_unknown":
      run.row.state = "unknown";
      emit(stage, run.row, "marked_unknown", at, { state: "unknown" });
      break;
    case "recovered":
      run.row.answer = settle(run, at, stage);
      run.row.expiresAt = Math.max(run.row.expiresAt, at + fromMs(TTL_MS));
      tell("recovered", { state: "completed", responseStatus: run.row.answer.status });
  }
}

function startEffect(run: Run, at: Micros, stage: Stage): void {
  const { tenantId, endpoint, key, keyHash, createdAt } = run.row;
  const downstream = downstreamKey({ tenant: tenantId, endpoint, key }, CHARGE_STEP);
  const effect = { keyCreatedAt: createdAt, step: CHARGE_STEP, downstreamKey: downstream, startedAt: at };
  stage.records.effects.push({ tenantId, endpoint, key, keyHash, ...effect });
  const told = { ...run.owner.identity, ...run.facts, downstreamKeyHash: hashKey(downstream) };
  emit(stage, run.row, "effect_started", at, told);
}

/** The provider writes its own ledger, whatever becomes of its caller. */
function charge(run: Run, at: Micros, stage: Stage): void {
  const { tenantId, endpoint, key } = run.row;
  const { fault, attempt, facts } = run.owner;
  const refund = attempt.resource === "refunds";
  const made: ChargeRecord = {
    id: `${refund ? "rf" : "ch"}_${stage.random.bytes(12).toString("hex")}`,
    downstreamKey: downstreamKey({ tenant: tenantId, endpoint, key }, CHARGE_STEP),
    tenantId,
    customer: facts.customer ?? "",
    amount: facts.amount ?? 0,
    currency: facts.currency ?? "",
    status: fault?.kind === "decline" ? "declined" : refund ? "refunded" : "succeeded",
    metadata: metadataOf(run.owner, stage),
    at,
    held: fault?.kind === "lose-answer" && fault.hold,
  };
  stage.records.charges.push(made);
  run.charge = made;
}

/** Completes the row: the service's business record, and the answer it gives from it. */
function settle(run: Run, at: Micros, stage: Stage): Answer {
  if (!run.charge) throw new Error("A run without a charge cannot be completed");
  run.row.state = "completed";
  run.facts.providerReference = run.charge.id;
  if (run.owner.attempt.resource === "refunds") {
    const refund = refundRecord(run, run.charge, at);
    stage.records.refunds.push(refund);
    return refundAnswer(refund);
  }
  const payment = paymentRecord(run, run.charge, at);
  stage.records.payments.push(payment);
  if (payment.order) stage.payments.set(payment.order, payment);
  return run.owner.fault?.kind === "error-after-charge" ? receiptFailed(payment.id) : paymentAnswer(payment);
}
