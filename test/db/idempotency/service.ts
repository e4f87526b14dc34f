import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import {
  type Database,
  dailyTablesSql,
  dayPartitionSql,
  type EventSink,
  hashKey,
  type IdempotencyEvent,
  type IdempotentHandler,
  type LayoutName,
  pgDatabase,
  plainTablesSql,
} from "@/lib/idempotency";
import { type TestDatabase, testDatabase } from "../../postgres";

export const endpoint = "POST /v1/payments";

/** A database with one keys table in the layout under test and a business table beside it. */
export interface Service {
  layout: LayoutName;
  tenant: string;
  db: Database;
  pool: TestDatabase["pool"];
  sink: EventSink;
  /** Kinds of the events written for a key, in order. */
  kinds(key: string): string[];
  eventsOf(key: string): IdempotencyEvent[];
  /** The database seen through a clock moved by an interval, such as `10 minutes`. */
  shifted(offset: string): Database;
  row(key: string): Promise<{ state: string; response_status: number | null; lease_left: number } | undefined>;
  /** Puts the row where a crash or the passing of time would have left it. */
  alter(key: string, assignments: string): Promise<void>;
  close(): Promise<void>;
}

export async function startService(layout: LayoutName): Promise<Service> {
  const database = await testDatabase({ migrated: false });
  const { pool } = database;
  await pool.query(layout === "daily" ? dailySql() : plainTablesSql());
  await pool.query(businessSql);
  const events: IdempotencyEvent[] = [];
  const shiftedPools: Pool[] = [];
  return {
    layout,
    tenant: randomUUID(),
    db: pgDatabase(pool),
    pool,
    sink: recordingSink(events),
    kinds: (key) => ofKey(events, key).map(({ kind }) => kind),
    eventsOf: (key) => ofKey(events, key),
    shifted(offset) {
      // An unqualified clock_timestamp() then finds ours: pg_catalog is only searched first when it is not listed.
      const options = `-c search_path=moved,pg_catalog,public -c moved.by=${offset.replaceAll(" ", "\\ ")}`;
      const moved = new Pool({ connectionString: database.ownerUrl, options });
      moved.on("error", () => undefined);
      shiftedPools.push(moved);
      return pgDatabase(moved);
    },
    async row(key) {
      const { rows } = await pool.query(
        `SELECT state, response_status, extract(epoch FROM locked_until - clock_timestamp())::float8 AS lease_left
         FROM idempotency_keys WHERE idem_key = $1 ORDER BY created_at DESC`,
        [key],
      );
      return rows[0];
    },
    async alter(key, assignments) {
      await pool.query(`UPDATE idempotency_keys SET ${assignments} WHERE idem_key = $1`, [key]);
      if (layout === "plain") return;
      await pool.query(
        `UPDATE idempotency_guard g SET free_at = k.expires_at FROM idempotency_keys k
         WHERE k.idem_key = $1 AND g.idem_key = $1 AND g.key_created_at = k.created_at AND k.state = 'completed'`,
        [key],
      );
    },
    async close() {
      await Promise.all(shiftedPools.map((moved) => moved.end()));
      await database.close();
    },
  };
}

const businessSql = `
  CREATE TABLE payment (tenant_id uuid, endpoint text, idem_key text, id bigserial);
  CREATE SCHEMA moved;
  CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS $$ SELECT pg_catalog.clock_timestamp() + current_setting('moved.by')::interval $$;`;

function dailySql(): string {
  const days = [-3, -2, -1, 0, 1, 2].map((offset) => new Date(Date.now() + offset * 86_400_000));
  return [dailyTablesSql(), ...days.map((day) => dayPartitionSql(day.toISOString().slice(0, 10)))].join("\n");
}

function recordingSink(events: IdempotencyEvent[]): EventSink {
  return {
    inTransaction: async (_, made) => void events.push(...made),
    attempt: (made) => void events.push(made),
  };
}

function ofKey(events: IdempotencyEvent[], key: string): IdempotencyEvent[] {
  return events.filter(({ keyHash }) => keyHash === hashKey(key));
}

export function post(key: string | null, body: unknown = { amount: 4200 }, more: Record<string, string> = {}): Request {
  const headers = new Headers({ "Content-Type": "application/json", ...more });
  if (key !== null) headers.set("Idempotency-Key", key);
  return new Request("http://api.test/v1/payments", { method: "POST", headers, body: JSON.stringify(body) });
}

export interface Answer {
  status: number;
  code: unknown;
  body: unknown;
  replayed: boolean;
  headers: Headers;
}

/** Sends a request as a client of this service would. */
export async function send(handle: IdempotentHandler, request: Request, service: Service): Promise<Answer> {
  const response = await handle(request, { tenant: service.tenant });
  const { status, headers } = response;
  const body = parse(await response.text());
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return { status, code, body, replayed: headers.get("Idempotent-Replayed") === "true", headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A promise and the function that ends it. */
export function latch(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
