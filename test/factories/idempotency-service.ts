import { randomUUID } from "node:crypto";
import { generateKey, type LayoutName, type Mode } from "@/lib/idempotency";
import type { TestDatabase } from "@/test/postgres";
import { type Child, startChild } from "./idempotency-child";
import type { Point } from "./idempotency-deaths";

/** One operation a client wants done once, however often it asks. */
export interface Order {
  mode: Mode;
  tenant: string;
  key: string;
}

export interface Told {
  status: number;
  replayed: boolean;
  /** The problem's code, where the answer is one. */
  code: string | undefined;
  reference: string | undefined;
}

export function newOrder(mode: Mode): Order {
  return { mode, tenant: randomUUID(), key: generateKey() };
}

export function startProvider(): Promise<Child> {
  return startChild("./idempotency-provider-process.ts", {});
}

export interface ServiceOptions {
  database: TestDatabase;
  layout: LayoutName;
  provider: Child;
  /** How wrong the process's own clock is, in ms. */
  shiftMs?: number;
}

export function startService({ database, layout, provider, shiftMs }: ServiceOptions): Promise<Child> {
  const env = { DATABASE_URL: database.ownerUrl, LAYOUT: layout, PROVIDER_URL: provider.url };
  if (shiftMs === undefined) return startChild("./idempotency-service-process.ts", env);
  const preloads = ["./idempotency-shifted-clock.ts"];
  return startChild("./idempotency-service-process.ts", { ...env, SHIFT_MS: String(shiftMs) }, preloads);
}

/** Sends the order over HTTP; null when the connection died under it. */
export async function place(service: Child, order: Order, extra: Record<string, string> = {}): Promise<Told | null> {
  const headers = { "Idempotency-Key": order.key, Tenant: order.tenant, "Content-Type": "application/json", ...extra };
  try {
    const response = await fetch(`${service.url}/v1/${order.mode}`, {
      method: "POST",
      headers,
      body: '{"amount":4200}',
    });
    const { code, reference } = (await response.json()) as Partial<Told>;
    const replayed = response.headers.get("Idempotent-Replayed") === "true";
    return { status: response.status, replayed, code, reference };
  } catch (error) {
    if (error instanceof TypeError) return null; // how fetch says that the connection broke
    throw error;
  }
}

export function dieAt(point: Point): Record<string, string> {
  return { "Die-At": point };
}
