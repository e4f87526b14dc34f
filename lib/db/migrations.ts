import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Migration {
  name: string;
  sql: string;
}

/** Migrations of `directory` in the order of their names, each in Prisma's layout `<name>/migration.sql`. */
export function readMigrations(directory = "prisma/migrations"): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(join(directory, name, "migration.sql"), "utf8") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The bookkeeping exactly as Prisma makes it, in the schema that `?schema=idemdesk` names. */
export const BOOKKEEPING_SQL = `
CREATE SCHEMA IF NOT EXISTS idemdesk;
SET search_path = idemdesk;
CREATE TABLE IF NOT EXISTS idemdesk._prisma_migrations (
  id                  varchar(36) PRIMARY KEY NOT NULL,
  checksum            varchar(64) NOT NULL,
  finished_at         timestamptz,
  migration_name      varchar(255) NOT NULL,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
);
`;

/** One migration and its bookkeeping, to be run inside one transaction. */
export function migrationSql({ name, sql }: Migration): string {
  // The semicolon is for a file that leaves out its last one.
  return `${sql}
;
INSERT INTO idemdesk._prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
VALUES ('${randomUUID()}', '${checksum(sql)}', '${name.replaceAll("'", "''")}', now(), clock_timestamp(), 1);
`;
}

/** Whether `recorded` is this migration's checksum; the same file with the other line ends is no edit. */
export function isUnedited({ sql }: Migration, recorded: string): boolean {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].some((form) => checksum(form) === recorded);
}

function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
