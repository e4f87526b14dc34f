import { idempotentClient, memoryStore } from "@/lib/idempotency/client";

/** A client as a process of its own, which gives up waiting before the service answers, and asks again. */
const headers = { Tenant: process.env.TENANT ?? "", "Hold-Ms": "700" };
const options = {
  store: memoryStore(),
  enforcesKeys: true,
  ttlMs: 3_600_000,
  attemptTimeoutMs: 300,
  headers: () => headers,
};
const client = idempotentClient(options);

process.on("message", async (url: string) => {
  const result = await client.send({ id: "order-1", method: "POST", url, body: '{"amount":4200}' });
  process.send?.({ outcome: result.outcome, key: result.key, attempts: result.attempts.length });
});
process.once("disconnect", () => process.exit());
process.send?.({ url: "", clock: Date.now() });
