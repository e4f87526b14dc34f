import "server-only";
import { createHash, hkdfSync } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { z } from "zod";
import type { Scope } from "@/lib/db/scope";
import { requiredEnv } from "@/lib/env";
import { AppError } from "./errors";

/** What a cursor belongs to: the list with its filter, and who reads it. Anywhere else it is refused. */
export interface CursorBinding {
  scope: Scope;
  /** The list's name and every parameter that decides which rows it has, in any order. */
  filter: Record<string, unknown>;
}

/** The place after the last row of a page, signed, so that nobody can make one up or carry it to another filter. */
export async function makeCursor(binding: CursorBinding, position: Record<string, unknown>): Promise<string> {
  return new SignJWT({ at: position, of: digest(binding) }).setProtectedHeader({ alg: "HS256" }).sign(signingKey());
}

/** Reads a cursor back; throws `invalid_cursor` for one that was changed, belongs elsewhere or has another shape. */
export async function readCursor<Shape extends z.ZodType>(
  binding: CursorBinding,
  cursor: string,
  position: Shape,
): Promise<z.output<Shape>> {
  const payload = await verified(cursor);
  const parsed = position.safeParse(payload?.at);
  if (payload?.of !== digest(binding) || !parsed.success) {
    throw new AppError("invalid_cursor", "Start again from the first page: this cursor belongs to another list.");
  }
  return parsed.data;
}

async function verified(cursor: string) {
  try {
    return (await jwtVerify(cursor, signingKey(), { algorithms: ["HS256"] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Undefined members do not count, and neither does the order of members or of the tenants held. */
function digest({ scope, filter }: CursorBinding): string {
  const members = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const tenants = scope.tenants === "*" ? "*" : [...scope.tenants].sort();
  const text = JSON.stringify([scope.principalId, tenants, members]);
  return createHash("sha256").update(text).digest("base64url");
}

let derived: Uint8Array | undefined;

/** A key of its own, so that a cursor can never pass for a session. */
function signingKey(): Uint8Array {
  derived ??= new Uint8Array(hkdfSync("sha256", requiredEnv("NEXTAUTH_SECRET"), "", "idemdesk cursor", 32));
  return derived;
}
