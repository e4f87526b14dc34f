import type { Resource } from "./clients";

/** What the sandbox declares of an endpoint: the same figures run the service and stand in its profile. */
export interface SandboxEndpoint {
  /** As rows and events name it: the route its users would know, without where the desk mounts it. */
  pattern: string;
  /** The concrete path that a request has and its fingerprint covers. */
  path: string;
  resource: Resource;
}

/** The service's name in events. */
export const SOURCE = "sandbox-payments";
export const LEASE_MS = 5_000;
export const TTL_MS = 24 * 3_600_000;
/** The one step of an operation that reaches the provider; its downstream key is made from this name. */
export const CHARGE_STEP = "charge";
/**
 * A call to the provider is given up so early that its outcome is still written under the lease, and begins at all only
 * where the lease outlasts it: the rest is how late a busy service may be after its claim.
 */
export const PROVIDER_TIMEOUT_MS = 3_500;
/** Redelivery by the queues in front of the service: the longest window a client may retry in. */
export const RETRY_WINDOW_MS = 12 * 3_600_000;

export const endpoints: Record<Resource, SandboxEndpoint> = {
  payments: { pattern: "POST /v1/payments", path: "/api/sandbox/v1/payments", resource: "payments" },
  refunds: { pattern: "POST /v1/refunds", path: "/api/sandbox/v1/refunds", resource: "refunds" },
};
