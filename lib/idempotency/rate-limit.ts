import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Bounds how fast one tenant can create keys on one endpoint. Replays are never counted. */
export interface KeyRateLimit {
  /** 0 when the key may be claimed, otherwise the ms until another try is worth it. */
  take(tenant: string, endpoint: string): Promise<number>;
}

/** A limit kept in this process; each replica of a service has its own. */
export function memoryRateLimit(keysPerSecond = 200): KeyRateLimit {
  const limiter = new RateLimiterMemory({ points: keysPerSecond, duration: 1 });
  return {
    async take(tenant, endpoint) {
      try {
        await limiter.consume(`${tenant} ${endpoint}`);
        return 0;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
        throw refusal;
      }
    },
  };
}
