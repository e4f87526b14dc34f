import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";

export interface Payment {
  key: string;
  tenantId: string;
  status: number;
}

/** Pays once in the sandbox under a fresh key, then retries it `retries` times, through real HTTP. Needs an administrator's session. */
export async function pay(request: APIRequestContext, { retries = 1 } = {}): Promise<Payment> {
  const answer = await request.get("/api/v1/sandbox/credentials");
  expect(answer.status()).toBe(200);
  const [tenant] = (await answer.json()) as { tenantId: string; apiKey: string }[];
  if (!tenant) throw new Error("The sandbox has no tenant.");
  const key = randomUUID();
  let status = 0;
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    const response = await request.post("/api/sandbox/v1/payments", {
      headers: { Authorization: `Bearer ${tenant.apiKey}`, "Idempotency-Key": key, "X-Request-Id": randomUUID() },
      data: { amount: 4_217, currency: "EUR", customer: `cus_${key.slice(0, 8)}` },
    });
    status = response.status();
  }
  return { key, tenantId: tenant.tenantId, status };
}
