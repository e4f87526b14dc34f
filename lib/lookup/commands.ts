import "server-only";
import { can } from "@/lib/access/rules";
import type { Principal } from "@/lib/access/schema";
import { appendAudit } from "@/lib/audit/commands";
import type { Actor } from "@/lib/audit/schema";
import { Prisma, type Transaction } from "@/lib/db/client";
import { notFound } from "@/lib/http/errors";
import { revealBody } from "./body/reveal";
import { NoteRow, noteColumns } from "./queries/notes";
import { readSecrets, type Secrets } from "./queries/stored";
import { readRow } from "./queries/subject";
import { readYardstick } from "./queries/yardstick";
import { escapeUnseen } from "./rules/display";
import { revealedHeaders } from "./rules/headers";
import type { KeyRow } from "./rules/model";
import { profileFor } from "./rules/profile";
import type { Note, NoteInput, RevealAnswer, RevealInput } from "./schema";

/** Who does it, within a transaction whose scope is entered. */
export interface Doer {
  tx: Transaction;
  principal: Principal;
  actor: Actor;
}

/** The row a command is about. */
export interface KeyName {
  tenantId: string;
  id: string;
}

/** Shows what is hidden by default, and says in the audit who looked at what and why. Throws `not_found`. */
export async function revealKey(doer: Doer, name: KeyName, input: RevealInput): Promise<RevealAnswer> {
  const { tx, actor, principal } = doer;
  const row = await findRow(tx, name);
  const mask = !can(principal, "keys.reveal_unmasked", name.tenantId);
  const answer = await read(tx, row, input, mask);
  const { what, as, reason } = input;
  const details = { what, as, endpoint: row.endpoint, keyHash: row.keyHash, masked: mask };
  await appendAudit(tx, actor, {
    chain: name.tenantId,
    action: "key.revealed",
    target: { type: "key", id: name.id },
    reason,
    details,
  });
  return answer;
}

/** Adds a note to the operation, with its audit entry. Throws `not_found`. */
export async function addNote({ tx, actor, principal }: Doer, name: KeyName, input: NoteInput): Promise<Note> {
  const { tenantId, endpoint, keyHash } = await findRow(tx, name);
  const [added] = await tx.$queryRaw<unknown[]>(Prisma.sql`
    INSERT INTO idemdesk.key_note (tenant_id, endpoint, key_hash, text, ticket, author_id, author)
    VALUES (${tenantId}::uuid, ${endpoint}, decode(${keyHash}, 'hex'), ${input.text}, ${input.ticket ?? null},
            ${principal.id}::uuid, ${principal.name})
    RETURNING ${noteColumns}`);
  const note = NoteRow.parse(added);
  await appendAudit(tx, actor, {
    chain: tenantId,
    action: "key.note_added",
    target: { type: "key", id: name.id },
    details: { note: note.id, endpoint, keyHash, ...(input.ticket && { ticket: input.ticket }) },
  });
  return note;
}

async function findRow(tx: Transaction, { tenantId, id }: KeyName): Promise<KeyRow> {
  const row = await readRow(tx, tenantId, id);
  if (!row) throw notFound();
  return row;
}

/** Bytes of a stored body that are read at all. */
const MOST_STORED = 32 * 1024 * 1024;

async function read(tx: Transaction, row: KeyRow, { what, as }: RevealInput, mask: boolean): Promise<RevealAnswer> {
  const secrets: Secrets = await readSecrets(tx, row, what === "body" ? MOST_STORED : 0);
  if (what === "key") return { what, key: secrets.key, shown: escapeUnseen(secrets.key) };
  if (what === "headers") return { what, headers: revealedHeaders(secrets.headers, mask) };
  const { profiles } = await readYardstick(tx);
  return revealBody(row, secrets, { profile: profileFor(row.endpoint, profiles), mask, as });
}
