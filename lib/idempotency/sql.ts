import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";

/**
 * The database as this library needs it: one tagged template, values always as parameters.
 * Template arrays are stable per statement, so an adapter may prepare by identity.
 */
export interface Sql {
  query<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
}

/** `Tx` may carry more than SQL, for example a Prisma transaction for the handler of an atomic endpoint. */
export interface Database<Tx extends Sql = Sql> extends Sql {
  /** Runs at READ COMMITTED: commits when `run` returns, rolls back when it throws. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface PgOptions {
  /** Named prepared statements; switch off behind a pooler that does not keep them. */
  prepare?: boolean;
}

/** Adapts a `pg` pool. The pool stays the caller's to size, watch and close. */
export function pgDatabase(pool: Pool, { prepare = true }: PgOptions = {}): Database {
  return {
    ...pgSql(pool, prepare),
    async transaction(run) {
      const client = await pool.connect();
      try {
        await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
        const result = await run(pgSql(client, prepare));
        await commit(client);
        client.release();
        return result;
      } catch (error) {
        await rollBack(client);
        throw error;
      }
    },
  };
}

/** Adapts one `pg` client, for example inside a transaction the caller has opened. */
export function pgSql(client: Pool | PoolClient, prepare = true): Sql {
  return {
    async query<Row>(strings: TemplateStringsArray, ...values: unknown[]) {
      const { text, name } = statement(strings);
      const result = await client.query({ text, values, ...(prepare && { name }) });
      return result.rows as Row[];
    },
  };
}

const statements = new WeakMap<TemplateStringsArray, { text: string; name: string }>();

function statement(strings: TemplateStringsArray): { text: string; name: string } {
  const known = statements.get(strings);
  if (known) return known;
  const text = strings.reduce((sql, part, index) => `${sql}$${index}${part}`);
  const made = { text, name: `idem_${hashText(text)}` };
  statements.set(strings, made);
  return made;
}

/** Named by content, so that processes behind one pooler agree on what a name means. */
function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** PostgreSQL answers COMMIT with ROLLBACK, and no error, where a statement failed and its error was swallowed. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT") throw new Error("A statement had failed, so the transaction was rolled back");
}

/** A client that cannot roll back is broken: it must leave the pool, and its server side rolls back by itself. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query("ROLLBACK");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
