import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/http/errors";
import { StartError } from "@/lib/server/failure";
import { deskAddress as localAddress } from "@/lib/server/web";
import { inDesk } from "./command";

/** Where operators reach the desk. */
export function deskAddress(): string {
  return env().NEXTAUTH_URL ?? localAddress(env());
}

/** Runs `work` on the desk's database; what the desk refuses is one sentence at the terminal. */
export function atDesk<T>(work: () => Promise<T>): Promise<T> {
  return inDesk(work).catch((error: unknown) => {
    throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
  });
}

/** Checks a command's arguments; throws a `StartError` that names each wrong one by its flag. */
export function parseFlags<Shape extends z.ZodType>(shape: Shape, values: unknown, usage: string): z.output<Shape> {
  const result = shape.safeParse(values);
  if (result.success) return result.data;
  const named = result.error.issues.filter(({ path }) => path.length > 0);
  const wrong = named.map(({ path, message }) => `--${String(path[0])}: ${message}\n`);
  throw new StartError([...new Set(wrong), usage].join("\n"));
}

/** `all`, or tenant ids with a comma between them. */
export const TenantsFlag = z
  .string({ error: "is missing" })
  .transform((text) => (text === "all" ? ("*" as const) : text.split(",").map((id) => id.trim().toLowerCase())))
  .pipe(z.union([z.literal("*"), z.array(z.guid("must be `all` or tenant ids")).min(1)]));

/** A day, which the grant still holds, or a moment. */
export const UntilFlag = z
  .union([
    z.iso.date().transform((day) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000)),
    z.iso.datetime({ offset: true }).transform((moment) => new Date(moment)),
  ])
  .refine((end) => end.getTime() > Date.now(), "is past");
