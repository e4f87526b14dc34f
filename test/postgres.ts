import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { inject } from "vitest";
import { TEMPLATE } from "./postgres-server";

/** A database of one test file, on the run's own server. */
export type TestDatabase = {
  /** As the web process connects: role `idemdesk_web`. */
  url: string;
  /** As migrations connect: the superuser. */
  ownerUrl: string;
  /** The superuser's connections. */
  pool: Pool;
  /** As any login role connects: `idemdesk_worker`, `idemdesk_maintenance`, `sandbox_payments` … */
  urlFor(role: string): string;
  /** Ends every session of the database and drops it. */
  close(): Promise<void>;
};

/** A fresh database: migrated, with the sandbox's tables and no rows, or entirely empty. */
export async function testDatabase({ migrated = true }: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const { superuserUrl, rolePassword } = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Copying files costs half of copying through the log, which nobody here reads.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${migrated ? TEMPLATE : "template0"} STRATEGY FILE_COPY`);
  const ownerUrl = withParts(superuserUrl, { database: name });
  const urlFor = (role: string) => withParts(ownerUrl, { user: role, password: rolePassword });
  const pool = new Pool({ connectionString: ownerUrl });
  pool.on("error", () => undefined); // idle sessions are ended from outside when the database is dropped
  return {
    url: urlFor("idemdesk_web"),
    ownerUrl,
    pool,
    urlFor,
    async close() {
      await pool.end();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function administer(statement: string): Promise<void> {
  const admin = new Pool({ connectionString: inject("postgres").superuserUrl, max: 1 });
  await admin.query(statement).finally(() => admin.end());
}

function withParts(url: string, parts: { database?: string; user?: string; password?: string }): string {
  const changed = new URL(url);
  if (parts.database) changed.pathname = `/${parts.database}`;
  if (parts.user) changed.username = parts.user;
  if (parts.password) changed.password = parts.password;
  return changed.href;
}
