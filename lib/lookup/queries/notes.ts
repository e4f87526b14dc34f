import "server-only";
import { z } from "zod";
import { Prisma, type Transaction } from "@/lib/db/client";
import { maskText } from "../rules/mask";
import type { Note } from "../schema";
import type { Hit } from "./hits";

/** Notes shown of one operation, the newest first. */
const MOST_NOTES = 100;

export const noteColumns = Prisma.sql`
  id::text AS "id", idemdesk.utc(created_at) AS "at", author AS "author", text AS "text", ticket AS "ticket"`;

export const NoteRow = z.object({
  id: z.string(),
  at: z.string(),
  author: z.string(),
  // A note is pasted by people, so it may hold what a stored body may: masked in every view.
  text: z.string().transform((text) => maskText(text).text),
  ticket: z.string().nullable(),
});

/** What people noted of an operation; notes outlive its row. */
export async function readNotes(
  tx: Transaction,
  { tenantId, endpoint, keyHash }: Pick<Hit, "tenantId" | "endpoint" | "keyHash">,
): Promise<Note[]> {
  const notes = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${noteColumns}
    FROM idemdesk.key_note
    WHERE tenant_id = ${tenantId}::uuid AND endpoint = ${endpoint} AND key_hash = decode(${keyHash}, 'hex')
    ORDER BY created_at DESC, id
    LIMIT ${MOST_NOTES}`);
  return z.array(NoteRow).parse(notes);
}
