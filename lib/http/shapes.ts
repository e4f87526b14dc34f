import { z } from "zod";

/** PostgreSQL's text has no NUL; whatever is sent with one is kept, and looked for, with U+FFFD in its place. */
export const withoutNul = (given: string) => given.replaceAll("\0", "\uFFFD");

/** Any text that is not empty, `longest` characters at the most. */
export const text = (longest: number) => z.string().min(1).max(longest).transform(withoutNul);

/** The same without the blanks around it, for what people name. */
export const trimmed = (longest: number) => z.string().trim().min(1).max(longest).transform(withoutNul);

export const TenantId = z
  .guid({ error: "must be a tenant id (UUID)" })
  .transform((id) => id.toLowerCase())
  .meta({ description: "Tenant id" });

/** Between these, PostgreSQL and JavaScript spell times alike. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A moment as a person or script writes it, with any offset and any number of fractional digits; read as RFC 3339 in
 * UTC with six, the spelling that the database and every answer have.
 */
export const Moment = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 time with its zone" })
  .transform((moment, context) => {
    const at = Date.parse(moment);
    if (at >= FIRST && at <= LAST) return utcText(at, moment);
    context.addIssue({ code: "custom", message: "must be a time of the years 1 to 9999" });
    return z.NEVER;
  });

/** A Date holds milliseconds, so the digits are taken from the text. */
function utcText(at: number, moment: string): string {
  const fraction = (/\.(\d+)/.exec(moment)?.[1] ?? "").padEnd(6, "0").slice(0, 6);
  return `${new Date(at).toISOString().slice(0, 19)}.${fraction}Z`;
}
