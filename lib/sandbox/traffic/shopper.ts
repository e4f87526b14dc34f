import { type ClientKind, closedKinds, Pen, type PlannedAttempt } from "../clients";
import { endpoints } from "../endpoints";
import { faultHeader } from "../fault";
import type { Random } from "../random";
import type { SandboxTenant } from "../tenants";

/** One client that is about to send. */
export interface Shopper {
  kind: ClientKind;
  tenant: SandboxTenant;
  attempts: PlannedAttempt[];
}

export function nextShopper(random: Random, tenants: readonly SandboxTenant[]): Shopper {
  const tenant = random.weighted(tenants);
  const kind = random.weighted(closedKinds);
  return { kind, tenant, attempts: kind.tell(new Pen(random, tenant, Date.now())) };
}

/** The planned attempt as a real request. */
export function requestOf({ tenant }: Shopper, attempt: PlannedAttempt, address: string): Request {
  const headers = new Headers({
    Authorization: `Bearer ${tenant.apiKey}`,
    "Content-Type": "application/json",
    "X-Request-Id": attempt.requestId,
    traceparent: attempt.traceparent,
  });
  if (attempt.key !== null) headers.set("Idempotency-Key", attempt.key);
  if (attempt.fault !== null) headers.set(faultHeader, attempt.fault);
  return new Request(new URL(endpoints[attempt.resource].path, address), {
    method: "POST",
    headers,
    body: attempt.body,
  });
}
