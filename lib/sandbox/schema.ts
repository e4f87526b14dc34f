import { z } from "zod";
import { TenantId, text } from "@/lib/http/shapes";

export const LedgerFilter = z.strictObject({
  tenantId: TenantId.optional(),
  customer: text(128).optional(),
});

/** The provider's own record of one charge. Money in minor units. */
export const LedgerEntry = z.object({
  id: z.string(),
  tenantId: z.string(),
  customer: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(["succeeded", "declined", "refunded"]),
  downstreamKeyHash: z.string(),
  at: z.string(),
});

/** Unpaged, newest first. */
export const Ledger = z.object({ items: z.array(LedgerEntry) });

export const Credentials = z.array(z.object({ tenantId: z.string(), name: z.string(), apiKey: z.string() }));

export const ChargeId = z.strictObject({ id: z.string().regex(/^(ch|rf)_[0-9a-f]{24}$/) });

/** The charge can be asked about again. */
export const Released = z.object({ id: z.string(), tenantId: z.string() });

export type LedgerFilter = z.infer<typeof LedgerFilter>;
export type LedgerEntry = z.infer<typeof LedgerEntry>;
export type Credentials = z.infer<typeof Credentials>;
export type Released = z.infer<typeof Released>;
