import { z } from "zod";

export { TenantId } from "@/lib/http/shapes";

/** RFC 3339 in UTC with six fractional digits, exactly as `idemdesk.utc()` writes it. */
export const Time = z
  .string()
  .regex(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, "must be RFC 3339 in UTC with six digits");

/** A bigint of the database: a string on the wire, since JSON numbers end at 2^53. */
export const BigintId = z
  .string()
  .refine(fitsBigint, "must be a positive whole number of 64 bits")
  .meta({ pattern: "^[1-9][0-9]{0,18}$" });

function fitsBigint(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n;
}

export const Digest = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
  .transform((hex) => hex.toLowerCase());

/** Money in minor units; past 2^53 a string of digits, so that no digit is lost. */
export const Amount = z.union([z.int(), z.string().regex(/^-?\d{16,19}$/)]);

/** A value inside a sentence. Times, spans and money stay data, so that the reader's language and zone spell them. */
export const Param = z.union([
  z.string(),
  z.number(),
  z.strictObject({ time: Time }),
  z.strictObject({ ms: z.number() }),
  z.strictObject({ amount: Amount, currency: z.string() }),
]);

export const Params = z.record(z.string(), Param);

/** A sentence twice: `code` and `params` to say it in any language, `text` as said in the request's. */
export const Sentence = z.object({ code: z.string(), params: Params, text: z.string() });

export type Amount = z.infer<typeof Amount>;
export type Param = z.infer<typeof Param>;
export type Params = z.infer<typeof Params>;
export type Sentence = z.infer<typeof Sentence>;
