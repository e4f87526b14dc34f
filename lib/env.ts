import { z } from "zod";
import { type LimitClass, limitClasses } from "@/lib/http/limit-classes";

const postgresUrl = z
  .url({
    protocol: /^postgres(ql)?$/,
    error: "must be a PostgreSQL address like postgresql://user:password@host:5432/database",
  })
  .optional();

const port = z.coerce
  .number({ error: "must be a port from 1 to 65535" })
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= 65_535, "must be a port from 1 to 65535");

const flag = z
  .enum(["0", "1", "true", "false"], { error: "must be 1 or 0" })
  .default("0")
  .transform((value) => value === "1" || value === "true");

/** One AES-256 key of the ring that stored bodies are encrypted under. */
export type BodyKey = { id: string; key: Uint8Array };

/** `id:base64,…`, the first key encrypts and all decrypt, so that a new one can be put in front. */
const keyRing = z
  .string()
  .default("")
  .transform((text, context): BodyKey[] => {
    const entries = text === "" ? [] : text.split(",").map((entry) => entry.trim().split(":"));
    const keys = entries.map(([id = "", base64 = ""]) => ({ id, key: new Uint8Array(Buffer.from(base64, "base64")) }));
    const wellFormed = keys.every(({ id, key }) => /^[A-Za-z0-9_-]{1,32}$/.test(id) && key.length === 32);
    const distinct = new Set(keys.map(({ id }) => id)).size === keys.length;
    if (wellFormed && distinct) return keys;
    context.addIssue({
      code: "custom",
      message: "must be id:base64 pairs with a comma between them, each key 32 bytes, each id once",
    });
    return z.NEVER;
  });

/** `search=100/1,reveal=60/3600`: how many per how many seconds, for the classes that differ from the defaults. */
const limits = z
  .string()
  .default("")
  .transform((text, context) => {
    const changed: Partial<Record<LimitClass, { points: number; seconds: number; burst: number }>> = {};
    for (const entry of text === "" ? [] : text.split(",")) {
      const [, name, count, seconds] = /^ *([a-z-]+)=([1-9]\d{0,8})\/([1-9]\d{0,6}) *$/.exec(entry) ?? [];
      const limitClass = limitClasses.find((known) => known === name);
      if (limitClass === undefined) {
        context.addIssue({
          code: "custom",
          message: `must be class=count/seconds pairs with a comma between them, of ${limitClasses.join(", ")}`,
        });
        return z.NEVER;
      }
      changed[limitClass] = { points: Number(count), seconds: Number(seconds), burst: Number(count) };
    }
    return changed;
  });

const schema = z.object({
  PORT: port.default(3000),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:-]+$/, "must be a host name or an address of this machine")
    .default("127.0.0.1"),
  IDEMDESK_DATA_DIR: z.string().default(".data"),
  IDEMDESK_DIST_DIR: z.string().default(".next"),
  /** Shown in the top bar, so that nobody takes staging for production. */
  IDEMDESK_ENVIRONMENT: z.string().max(40, "must be at most 40 characters").optional(),
  IDEMDESK_READ_ONLY: flag,
  IDEMDESK_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"], { error: "must be debug, info, warn, error or silent" })
    .default("info"),
  IDEMDESK_LIMITS: limits,
  /** The web process, role `idemdesk_web`. Unset: the embedded PostgreSQL with the sandbox. */
  DATABASE_URL: postgresUrl,
  IDEMDESK_OWNER_DATABASE_URL: postgresUrl,
  IDEMDESK_WORKER_DATABASE_URL: postgresUrl,
  IDEMDESK_MAINTENANCE_DATABASE_URL: postgresUrl,
  /** A streaming replica for reads; unset, the primary serves them. */
  IDEMDESK_READ_DATABASE_URL: postgresUrl,
  /** The sandbox payments service, role `sandbox_payments`. The launcher sets it in the embedded default, and only there. */
  IDEMDESK_SANDBOX_DATABASE_URL: postgresUrl,
  IDEMDESK_BODY_KEYS: keyRing,
  NEXTAUTH_URL: z.url({ protocol: /^https?$/, error: "must be the desk's own address, http or https" }).optional(),
  NEXTAUTH_SECRET: z.string().min(32, "must be at least 32 characters").optional(),
});

export type Env = z.infer<typeof schema>;

/** A bad or missing variable; the message names it and never shows its value. */
export class EnvError extends Error {
  override name = "EnvError";
}

/** Reads the variables from `source`; an empty one counts as unset. Throws `EnvError` listing every bad one. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new EnvError(result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`).join("\n"));
}

let current: Env | undefined;

/** The environment of this process, validated on first use, so that building needs none of it. */
export function env(): Env {
  current ??= readEnv(process.env);
  return current;
}

/** A variable that this process cannot work without. */
export function requiredEnv<Name extends keyof Env>(name: Name): NonNullable<Env[Name]> {
  const value = env()[name];
  if (value === undefined || value === null) throw new EnvError(`${name} is not set.`);
  return value;
}
