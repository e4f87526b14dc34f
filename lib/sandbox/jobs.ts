import "server-only";
import type { Pool } from "pg";
import { logger } from "@/lib/http/logger";
import { bodyKeyRing } from "@/lib/privacy/key-ring";
import { recoverOperations } from "./service/recover";
import { createService } from "./service/service";

/**
 * One pass over the sandbox's open operations, for the worker to run every few seconds: abandoned ones become unknown,
 * unknown ones are settled from what the provider says. The pool connects as `sandbox_payments`.
 */
export async function recoverSandbox(pool: Pool): Promise<void> {
  const report = (error: unknown) => logger().warn({ source: "sandbox-recovery", error });
  await recoverOperations(createService(pool, { ring: bodyKeyRing(), report }));
}
