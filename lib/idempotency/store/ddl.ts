import { identifier } from "./fragments";
import type { TableNames } from "./tables";

const columns = `
  tenant_id        uuid        NOT NULL,
  endpoint         text        NOT NULL,
  idem_key         text        NOT NULL,
  fingerprint      bytea       NOT NULL,
  state            text        NOT NULL,
  response_status  int,
  response_body    bytea,
  response_headers jsonb,
  locked_until     timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL`;

/** The plain layout: the table as services have it, the indexes the desk reads by, and the effect table. */
export function plainTablesSql(names: TableNames = {}): string {
  const keys = identifier(names.keys ?? "idempotency_keys").text;
  return `CREATE TABLE IF NOT EXISTS ${keys} (
  id               bigserial PRIMARY KEY,${columns},
  UNIQUE (tenant_id, endpoint, idem_key)
);
${indexSql(names, "open", "(locked_until) WHERE state <> 'completed'")}
${indexSql(names, "time", "(tenant_id, created_at, id)")}
${effectTableSql(names)}`;
}

/** The daily layout with its guard. It has no default partition: rows there would block the day they belong to. */
export function dailyTablesSql(names: TableNames = {}): string {
  const keys = identifier(names.keys ?? "idempotency_keys").text;
  const guard = identifier(names.guard ?? "idempotency_guard").text;
  return `CREATE TABLE IF NOT EXISTS ${keys} (
  id               bigserial,${columns},
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
${indexSql(names, "open", "(locked_until) WHERE state <> 'completed'")}
${indexSql(names, "time", "(tenant_id, created_at, id)")}
${indexSql(names, "operation", "(tenant_id, endpoint, idem_key)")}
CREATE TABLE IF NOT EXISTS ${guard} (
  tenant_id      uuid        NOT NULL,
  endpoint       text        NOT NULL,
  idem_key       text        NOT NULL,
  key_created_at timestamptz NOT NULL,
  free_at        timestamptz,
  PRIMARY KEY (tenant_id, endpoint, idem_key)
);
CREATE INDEX IF NOT EXISTS ${unqualified(guard, "free")} ON ${guard} (free_at);
${effectTableSql(names)}`;
}

function indexSql(names: TableNames, suffix: string, definition: string): string {
  const keys = identifier(names.keys ?? "idempotency_keys").text;
  return `CREATE INDEX IF NOT EXISTS ${unqualified(keys, suffix)} ON ${keys} ${definition};`;
}

/** An index lives in its table's schema and is named without it. */
function unqualified(table: string, suffix: string): string {
  return `${table.split(".").at(-1)?.slice(0, -1)}_${suffix}"`;
}

/** One row per effect that may have happened, written before the call it speaks of. */
export function effectTableSql(names: TableNames = {}): string {
  const effect = identifier(names.effect ?? "idempotency_effect").text;
  return `CREATE TABLE IF NOT EXISTS ${effect} (
  tenant_id      uuid        NOT NULL,
  endpoint       text        NOT NULL,
  idem_key       text        NOT NULL,
  key_created_at timestamptz NOT NULL,
  step           text        NOT NULL,
  downstream_key text        NOT NULL,
  started_at     timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, endpoint, idem_key, key_created_at, step)
);`;
}

/**
 * Creates and attaches the partition of one UTC day (`YYYY-MM-DD`); does nothing when it is there.
 * Made apart and attached: `PARTITION OF` takes a lock on the parent that claims would queue behind.
 */
export function dayPartitionSql(day: string, names: TableNames = {}): string {
  const parent = names.keys ?? "idempotency_keys";
  const keys = identifier(parent).text;
  const partition = identifier(`${parent}_p${day.replaceAll("-", "")}`).text;
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return `DO $$ BEGIN
  IF to_regclass('${partition}') IS NULL THEN
    CREATE TABLE ${partition} (LIKE ${keys} INCLUDING ALL EXCLUDING IDENTITY);
    ALTER TABLE ${keys} ATTACH PARTITION ${partition} FOR VALUES FROM ('${day} 00:00:00+00') TO ('${next} 00:00:00+00');
  END IF;
END $$;`;
}
