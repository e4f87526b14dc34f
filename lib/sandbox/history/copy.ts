import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { ClientBase } from "pg";
import { from } from "pg-copy-streams";

export type Cell = string | number | boolean | Buffer | readonly string[] | null | undefined;

/** Rows for one table, columns in the order of `target`, for example `sandbox.payment (tenant_id, id)`. */
export interface CopyBatch {
  target: string;
  rows: Iterable<readonly Cell[]>;
}

/** Text buffered before it goes to the server. */
const CHUNK = 256 * 1024;

/** Loads rows by COPY in text format: several times the speed of INSERT, in the caller's transaction. */
export async function copyRows(client: ClientBase, { target, rows }: CopyBatch): Promise<void> {
  const stream = client.query(from(`COPY ${target} FROM STDIN`));
  const done = finished(stream);
  let text = "";
  for (const row of rows) {
    text += `${row.map(cellText).join("\t")}\n`;
    if (text.length < CHUNK) continue;
    if (!stream.write(text)) await Promise.race([once(stream, "drain"), done]);
    text = "";
  }
  stream.end(text);
  await done;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return "\\N";
  if (Buffer.isBuffer(cell)) return `\\\\x${cell.toString("hex")}`;
  if (typeof cell === "object") return escapeText(arrayText(cell));
  return typeof cell === "string" ? escapeText(cell) : String(cell);
}

function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escapeText(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
