import type { Pool } from "pg";
import { type Database, type EmitSink, type IdempotentOptions, type KeyRing, pgDatabase } from "@/lib/idempotency";
import { LEASE_MS, PROVIDER_TIMEOUT_MS, RETRY_WINDOW_MS, type SandboxEndpoint, SOURCE, TTL_MS } from "../endpoints";
import { SandboxProvider } from "../provider";
import { factsOf } from "./facts";
import { serviceSink } from "./sink";

/** What the payments service works with. */
export interface Service {
  pool: Pool;
  db: Database;
  provider: SandboxProvider;
  sink: EmitSink;
  ring: KeyRing | null;
  leaseMs: number;
  providerTimeoutMs: number;
  /** Told of errors that became an answer. */
  report: (error: unknown) => void;
}

export interface ServiceOptions {
  ring: KeyRing | null;
  report: (error: unknown) => void;
  /** What the profile declares, unless a test needs more patience. */
  leaseMs?: number;
  providerTimeoutMs?: number;
}

/** The service over its own connections, as role `sandbox_payments`. The pool stays the caller's to close. */
export function createService(pool: Pool, { ring, report, ...times }: ServiceOptions): Service {
  const db = pgDatabase(pool);
  const sink = serviceSink(db, ring, report);
  const declared = { leaseMs: LEASE_MS, providerTimeoutMs: PROVIDER_TIMEOUT_MS };
  return { pool, db, provider: new SandboxProvider(pool), sink, ring, report, ...declared, ...times };
}

/** How each endpoint keeps the contract: the figures its profile declares. */
export function contractOf(service: Service, { pattern }: SandboxEndpoint): IdempotentOptions<"external"> {
  const { db, sink, ring, leaseMs, providerTimeoutMs, report } = service;
  return {
    db,
    layout: "daily",
    endpoint: pattern,
    mode: "external",
    leaseMs,
    ttlMs: TTL_MS,
    windows: { queueRedelivery: RETRY_WINDOW_MS, providerTimeout: providerTimeoutMs },
    keep: ring ? { keyRing: ring } : {},
    describe: ({ json }) => factsOf(json),
    sink,
    source: SOURCE,
    report,
  };
}
