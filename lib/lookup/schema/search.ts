import { z } from "zod";
import { Moment, TenantId, text } from "@/lib/http/shapes";
import { KeySummary, MatchedAs, Phase, Verdict } from "./key";
import { Digest, Sentence, Time } from "./values";

/** Longest identifier looked for: an index entry holds about 2,700 bytes, and nobody's reference is longer than this. */
const LONGEST = 512;

const identifier = text(LONGEST);

/** The closed map of sort orders; a leading minus is newest first. */
export const sortOrders = {
  createdAt: "asc",
  created_at: "asc",
  "-createdAt": "desc",
  "-created_at": "desc",
} as const;

export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

/** What may narrow a list. Any state is accepted, since a row may hold one nobody listed. */
export const KeyFilter = z.object({
  endpoint: identifier.optional(),
  states: z.array(text(64)).min(1).max(10).optional(),
  phase: Phase.optional(),
  statusClass: z.enum(statusClasses).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
});

export const SearchInput = KeyFilter.extend({
  tenantId: TenantId.optional(),
  /** Every reading the text allows is tried; a hit names the one that found it. */
  text: text(4096)
    .refine((given) => given.trim() !== "", "must not be blank")
    .optional(),
  key: text(4096).optional(),
  keyHash: Digest.optional(),
  keyHashPrefix: z
    .string()
    .regex(/^[0-9a-fA-F]{8,64}$/, "must be 8 to 64 hexadecimal digits")
    .transform((hex) => hex.toLowerCase())
    .optional(),
  requestId: identifier.optional(),
  traceId: identifier.optional(),
  providerReference: identifier.optional(),
  reference: identifier.optional(),
  customer: identifier.optional(),
  fingerprint: Digest.optional(),
  /** Minor units. */
  amount: z.int().optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, "must be a currency code of three letters")
    .transform((code) => code.toUpperCase())
    .optional(),
  sort: z.enum(["createdAt", "created_at", "-createdAt", "-created_at"]).default("-createdAt"),
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(4096).optional(),
})
  .strict()
  .refine(({ from, to }) => !from || !to || from < to, {
    path: ["to"],
    error: "must be after `from`",
  })
  // An amount alone would be dropped, and the answer would then list what nobody asked for.
  .refine(({ amount, currency }) => (amount === undefined) === (currency === undefined), {
    path: ["currency"],
    error: "goes with `amount`, and `amount` with it",
  });

/** What was looked at: by which reading, in the rows or the events, between which times (null: no bound). */
const Searched = Sentence.extend({
  by: z.union([MatchedAs, z.literal("list")]),
  where: z.enum(["keys", "events"]),
  from: Time.nullable(),
  to: Time.nullable(),
});

/** What was not looked at, and why. */
const NotSearched = Sentence.extend({ by: z.union([MatchedAs, z.literal("list")]) });

export const SearchAnswer = z.object({
  items: z.array(KeySummary),
  nextCursor: z.string().nullable(),
  searched: z.array(Searched),
  notSearched: z.array(NotSearched),
  /** `never_seen` or `not_searchable`, where an identifier was looked for without filters and nothing was found. */
  verdict: Verdict.nullable(),
});

export type KeyFilter = z.infer<typeof KeyFilter>;
export type SearchInput = z.output<typeof SearchInput>;
export type SearchRequest = z.input<typeof SearchInput>;
export type SearchAnswer = z.infer<typeof SearchAnswer>;
export type Searched = z.infer<typeof Searched>;
export type NotSearched = z.infer<typeof NotSearched>;
