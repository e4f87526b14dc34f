import { z } from "zod";
import { pageQuery } from "@/lib/http/paging";
import { TenantId, trimmed } from "@/lib/http/shapes";

/** What an operator or a service account is. `ingest` is for tokens alone. */
export const Role = z.enum(["support", "oncall", "finance", "auditor", "admin", "ingest"]);

export const Right = z.enum([
  "desk.use",
  "keys.read",
  "keys.note",
  "keys.reveal",
  "keys.reveal_unmasked",
  "cases.read",
  "cases.open_repeated",
  "cases.work",
  "cases.work_repeated",
  "cases.approve",
  "audit.read",
  "audit.read_own",
  "reports.read",
  "reports.export",
  "reports.close_period",
  "cleanup.read",
  "cleanup.run",
  "settings.change",
  "events.write",
]);

/** `*` for all tenants, or their ids, each once. */
const Tenants = z.union([
  z.literal("*"),
  z
    .array(TenantId)
    .min(1)
    .transform((ids) => [...new Set(ids)]),
]);

export type Role = z.infer<typeof Role>;
export type Right = z.infer<typeof Right>;

/** A role over one tenant, or over all of them where `tenantId` is null. */
export interface Grant {
  role: Role;
  tenantId: string | null;
}

/** Who a request acts as, read from the database on every request. */
export interface Principal {
  /** An operator's id, also through a token of theirs: two tokens of one operator are one person. Else the token's id. */
  id: string;
  kind: "operator" | "service";
  name: string;
  email: string | null;
  /** The token that was shown; null for a browser session. */
  tokenId: string | null;
  /** Grants in force now, by the database's clock. */
  grants: readonly Grant[];
}

/** Answer of GET /me. */
export const Me = z.object({
  id: z.string(),
  kind: z.enum(["operator", "service"]),
  name: z.string(),
  email: z.string().nullable(),
  roles: z.array(z.object({ role: Role, tenantId: z.string().nullable() })),
  /** `*`, or the ids of the tenants in reach. */
  tenants: z.union([z.literal("*"), z.array(z.string())]),
  /** Rights held over at least one tenant. */
  rights: z.array(Right),
  hasPassword: z.boolean(),
});
export type Me = z.infer<typeof Me>;

/** An auditor's grant has an end; `ingest` is no role of a person. */
export const NewOperator = z
  .strictObject({
    email: z
      .email()
      .max(200)
      .transform((email) => email.toLowerCase()),
    name: z.string().trim().min(1).max(120),
    role: Role.exclude(["ingest"]),
    tenants: Tenants,
    until: z.date().optional(),
  })
  .refine(({ role, until }) => role !== "auditor" || until !== undefined, {
    path: ["until"],
    error: "an auditor's grant needs an end date",
  });
export type NewOperator = z.output<typeof NewOperator>;

/** A token acts as an operator, or has a role of its own over tenants. */
export type NewToken = {
  name: string;
  until?: Date | undefined;
} & (
  | { operatorId: string; role: null; tenants: readonly string[] }
  | { operatorId: null; role: Role; tenants: "*" | readonly string[] }
);

/** Long rather than mixed: length is what a guesser pays for. */
export const NewPassword = z.strictObject({
  /** Required where one is set already. */
  current: z.string().min(1).max(200).optional(),
  next: z.string().min(12, "must be at least 12 characters").max(200),
});
export type NewPassword = z.infer<typeof NewPassword>;

export const Tenant = z.object({ id: z.string(), name: z.string() });
export type Tenant = z.infer<typeof Tenant>;

export const TenantFilter = z.strictObject({ query: trimmed(120).optional(), ...pageQuery });
export type TenantFilter = z.output<typeof TenantFilter>;
