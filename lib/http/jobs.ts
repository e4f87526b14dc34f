import "server-only";
import type { Pool } from "pg";
import { createStore, pgDatabase } from "@/lib/idempotency";
import { requestTables } from "./keyed";

/** Keys looked at, and lapsed ones removed, in one statement. */
const BATCH = 500;

/**
 * Frees the keys of our own writes whose process ended before it answered, so that their callers may send them again. A
 * command commits together with its answer: without an answer it never happened, and a late one finds no claim to keep.
 */
export async function releaseAbandoned(pool: Pool): Promise<void> {
  const db = pgDatabase(pool);
  const store = createStore("plain", requestTables);
  for (const claim of await store.open(db, "in_progress", BATCH)) {
    await db.transaction(async (tx) => {
      if (await store.retake(tx, claim, "in_progress")) await store.release(tx, claim);
    });
  }
}

/** Removes lapsed keys of our own writes, which answer as if they were gone already. */
export async function removeLapsed(pool: Pool): Promise<void> {
  for (let removed = BATCH; removed === BATCH; ) {
    const { rowCount } = await pool.query(
      `DELETE FROM idemdesk.request
       WHERE state = 'completed' AND expires_at <= clock_timestamp() AND id IN (
         SELECT id FROM idemdesk.request
         WHERE state = 'completed' AND expires_at <= clock_timestamp()
         ORDER BY expires_at LIMIT $1
         FOR UPDATE SKIP LOCKED)`,
      [BATCH],
    );
    removed = rowCount ?? 0;
  }
}
