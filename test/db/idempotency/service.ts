import { randomUUID } from "node:crypto";
import {
  type Database,
  dailyTablesSql,
  dayPartitionSql,
  type EventSink,
  type IdempotencyEvent,
  type LayoutName,
  pgDatabase,
  plainTablesSql,
} from "@/lib/idempotency";
import { type TestDatabase, testDatabase } from "../../postgres";

/** A database with one keys table, in the layout under test, and a business table beside it. */
export interface Service {
  layout: LayoutName;
  tenant: string;
  db: Database;
  pool: TestDatabase["pool"];
  events: IdempotencyEvent[];
  sink: EventSink;
  close(): Promise<void>;
}

export async function startService(layout: LayoutName): Promise<Service> {
  const database = await testDatabase({ migrated: false });
  await database.pool.query(layout === "daily" ? dailySql() : plainTablesSql());
  await database.pool.query(
    `CREATE TABLE payment (tenant_id uuid, endpoint text, idem_key text, reference text,
       at timestamptz DEFAULT clock_timestamp())`,
  );
  const events: IdempotencyEvent[] = [];
  const sink: EventSink = {
    inTransaction: async (_, made) => void events.push(...made),
    attempt: (made) => void events.push(made),
  };
  const db = pgDatabase(database.pool);
  return { layout, tenant: randomUUID(), db, pool: database.pool, events, sink, close: () => database.close() };
}

function dailySql(): string {
  const days = [-3, -2, -1, 0, 1, 2].map((offset) => new Date(Date.now() + offset * 86_400_000));
  return [dailyTablesSql(), ...days.map((day) => dayPartitionSql(day.toISOString().slice(0, 10)))].join("\n");
}

export function post(key: string | null, body: unknown = { amount: 4200 }, more: HeadersInit = {}): Request {
  const headers = new Headers({ "Content-Type": "application/json", ...Object.fromEntries(new Headers(more)) });
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

export async function read(response: Promise<Response>): Promise<Answer> {
  const { status, headers, ...rest } = await response.then(async (it) => ({
    status: it.status,
    headers: it.headers,
    text: await it.text(),
  }));
  const body = parse(rest.text);
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
