import { type Facts, hashKey } from "@/lib/idempotency";
import { fingerprint as fingerprintOf } from "@/lib/idempotency/fingerprint/fingerprint";
import { NotCanonicalizable } from "@/lib/idempotency/fingerprint/refusal";
import type { PlannedAttempt } from "../clients";
import { endpoints } from "../endpoints";
import { type Fault, parseFault } from "../fault";
import { factsOf } from "../service/facts";
import { PaymentInput, RefundInput } from "../service/input";
import type { HistoryEvent } from "./records";

/** A planned attempt as the service reads it. */
export interface HistoryRequest {
  attempt: PlannedAttempt;
  /** Null for a body that cannot be fingerprinted. */
  fingerprint: Buffer | null;
  facts: Facts;
  /** What its events carry to identify it. */
  identity: Pick<HistoryEvent, "requestId" | "traceId" | "fingerprint">;
  /** The validated body; null where the service refuses it. */
  payment: PaymentInput | null;
  refund: RefundInput | null;
  fault: Fault | null;
}

const rules = { volatile: [], raw: false };

export function readRequest(tenant: string, attempt: PlannedAttempt): HistoryRequest {
  const { key, requestId, traceparent, resource, fault } = attempt;
  const json: unknown = JSON.parse(attempt.body);
  const fingerprint = digest(tenant, attempt);
  return {
    attempt,
    fingerprint,
    facts: factsOf(json),
    identity: {
      // As the contract library records it: an id that is the key is kept as the key's hash.
      requestId: requestId === key ? hashKey(key) : requestId,
      traceId: traceparent.slice(3, 35),
      fingerprint: fingerprint?.toString("hex"),
    },
    payment: resource === "payments" ? (PaymentInput.safeParse(json).data ?? null) : null,
    refund: resource === "refunds" ? (RefundInput.safeParse(json).data ?? null) : null,
    fault: fault === null ? null : parseFault(fault),
  };
}

function digest(tenant: string, { resource, body }: PlannedAttempt): Buffer | null {
  const input = { method: "POST", path: endpoints[resource].path, query: "", tenant, contentType: "application/json" };
  try {
    return fingerprintOf({ ...input, body: Buffer.from(body) }, rules);
  } catch (error) {
    if (error instanceof NotCanonicalizable) return null;
    throw error;
  }
}
