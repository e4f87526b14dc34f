import "server-only";
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { directPool } from "@/lib/db/direct";
import { env } from "@/lib/env";
import { AppError } from "./errors";
import { defaultLimits, type Limit, type LimitClass } from "./limit-classes";

interface Limiter {
  consume(key: string): Promise<RateLimiterRes>;
  reward?(key: string): Promise<RateLimiterRes>;
}

/** Counts one use of `key`; past the limit throws `rate_limited` with the wait. */
export async function consume(limit: LimitClass, key: string): Promise<void> {
  const waitMs = await tryConsume(limit, key);
  if (waitMs === null) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  throw new AppError("rate_limited", `Too many requests of this kind. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}

/** Counts one use; answers null within the limit, else the ms until it would be again. */
export async function tryConsume(limit: LimitClass, key: string): Promise<number | null> {
  try {
    await limiter(limit).consume(key);
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return error.msBeforeNext;
    throw error;
  }
}

/** Gives one use back, where an attempt turned out to be no failure. */
export async function giveBack(limit: LimitClass, key: string): Promise<void> {
  await limiter(limit).reward?.(key);
}

const limiters = new Map<LimitClass, Limiter>();

function limiter(limit: LimitClass): Limiter {
  const known = limiters.get(limit);
  if (known) return known;
  const settings = { ...defaultLimits[limit], ...env().IDEMDESK_LIMITS[limit] };
  const made = settings.shared ? inDatabase(limit, settings) : inProcess(limit, settings);
  limiters.set(limit, made);
  return made;
}

/** Frequent requests: asking PostgreSQL would cost as much as the request itself. */
function inProcess(limit: LimitClass, { points, seconds, burst }: Limit): Limiter {
  const steady = new RateLimiterMemory({ keyPrefix: limit, points, duration: seconds });
  if (burst <= points) return steady;
  const reserve = { keyPrefix: `${limit}-burst`, points: burst - points, duration: BURST_REFILL_S };
  return new BurstyRateLimiter(steady, new RateLimiterMemory(reserve));
}

/** The reserve above the steady rate is full again after this long. */
const BURST_REFILL_S = 60;

/** Rare and costly acts: one count for all web processes. A caller past the limit is refused from memory. */
function inDatabase(limit: LimitClass, { points, seconds }: Limit): Limiter {
  return new RateLimiterPostgres({
    storeClient: directPool(),
    storeType: "pool",
    schemaName: "idemdesk",
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix: limit,
    points,
    duration: seconds,
    inMemoryBlockOnConsumed: points + 1,
  });
}
