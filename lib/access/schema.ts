import { z } from "zod";

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
