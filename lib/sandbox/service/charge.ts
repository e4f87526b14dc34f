import { Abandoned, type ExternalContext, NotExecuted } from "@/lib/idempotency";
import { CHARGE_STEP } from "../endpoints";
import { type Fault, faultHeader, parseFault } from "../fault";
import type { Charge, ChargeRequest } from "../provider";
import { problemAnswer, toResponse } from "./answers";
import type { Service } from "./service";

/** Calls the provider as one effect of the operation, with the fault that the request asked for. */
export function chargeOnce(
  { provider, providerTimeoutMs }: Service,
  context: ExternalContext,
  request: Omit<ChargeRequest, "downstreamKey" | "tenantId">,
  fault: Fault | null,
): Promise<Charge> {
  return context.effect(CHARGE_STEP, providerTimeoutMs, async (signal, downstreamKey) => {
    if (fault?.kind === "crash-before-charge") throw crashed();
    const { tenant: tenantId } = context.operation;
    const charge = await provider.charge({ ...request, downstreamKey, tenantId }, fault, signal);
    if (fault?.kind === "crash-after-charge") throw crashed();
    return charge;
  });
}

/** The request's fault; null for none. Throws the refusal of a misspelled one. */
export function readFault(headers: Headers): Fault | null {
  const text = headers.get(faultHeader);
  if (text === null) return null;
  const fault = parseFault(text);
  if (fault) return fault;
  throw refusal(400, "sandbox_fault_invalid", `${faultHeader} names no fault the sandbox knows`);
}

/** A refusal before anything has happened: the claim is released and a retry may run. */
export function refusal(status: number, code: string, title: string, more: object = {}): NotExecuted {
  return new NotExecuted(toResponse(problemAnswer(status, code, title, more)));
}

function crashed(): Abandoned {
  return new Abandoned(toResponse(problemAnswer(502, "bad_gateway", "The service ended before it answered")));
}
