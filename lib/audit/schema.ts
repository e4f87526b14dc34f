import { z } from "zod";
import { Moment, TenantId, text } from "@/lib/http/shapes";
import { AuditAction } from "./rules";

export const ActorKind = z.enum(["operator", "token", "system", "terminal", "anonymous"]);
export const AuditOutcome = z.enum(["done", "denied", "failed"]);

/** Who an entry says did it, and the request it was part of. */
export interface Actor {
  kind: z.infer<typeof ActorKind>;
  id: string;
  label: string;
  /** Null outside a request. */
  requestId: string | null;
}

/** What is appended; the database adds the number, the time and the hashes. */
export interface NewAuditEntry {
  /** A tenant's id, or `system` for what belongs to none. */
  chain: string;
  action: AuditAction;
  target: { type: string; id: string };
  outcome?: z.infer<typeof AuditOutcome>;
  reason?: string;
  /** Parameters of the entry's sentence and whatever an auditor needs; never a key or a body. */
  details?: Record<string, string | number | boolean | null>;
}

export const Chain = z
  .string()
  .regex(/^(system|(events:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i, "must be a tenant id or `system`")
  .transform((chain) => chain.toLowerCase());

/** An entry's number in its chain: a bigint, so a string. */
export const Seq = z.string().regex(/^[1-9]\d{0,17}$/, "must be a positive whole number");

export const AuditEntry = z.object({
  chain: z.string(),
  seq: z.string(),
  at: z.string(),
  actor: z.object({ kind: ActorKind, id: z.string(), label: z.string() }),
  /** Known actions have a sentence; an entry of a newer version still shows, by its code. */
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string() }),
  outcome: AuditOutcome,
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  /** The stored JSON, exactly: SHA-256 over the bytes of `previousHash`, then of this text, is `hash`. */
  text: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditFilter = z.strictObject({
  tenantId: TenantId.optional(),
  /** `system` for entries that belong to no tenant. */
  chain: Chain.optional(),
  actorId: text(200).optional(),
  action: AuditAction.optional(),
  targetType: text(60).optional(),
  targetId: text(300).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;
