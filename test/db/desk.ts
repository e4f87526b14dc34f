import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import type { Role } from "@/lib/access/schema";
import { hashToken, newToken } from "@/lib/access/secrets";
import type { Route } from "@/lib/http/route";
import { type TestDatabase, testDatabase } from "@/test/postgres";

export const DESK = "http://desk.test";
const SECRET = "a secret for tests, long enough to be one";

/** A desk on a database of its own, in this process: the environment is set before anything reads it. */
export interface Desk extends TestDatabase {
  tenant(name?: string): Promise<string>;
  /** An operator with one role over the tenants given, or over all. */
  operator(role: Role, tenants?: "*" | string[]): Promise<TestOperator>;
  /** A token of a service account. */
  service(role: Role, tenants?: "*" | string[]): Promise<string>;
  entries(action?: string): Promise<Record<string, unknown>[]>;
}

export interface TestOperator {
  id: string;
  email: string;
  /** Bearer token that acts as the operator. */
  token: string;
  /** Cookie header of a session. */
  cookie: string;
}

export async function openDesk(environment: Record<string, string> = {}): Promise<Desk> {
  const database = await testDatabase();
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    NEXTAUTH_URL: DESK,
    NEXTAUTH_SECRET: SECRET,
    IDEMDESK_LOG_LEVEL: "silent",
    ...environment,
  });
  return { ...database, ...factories(database), close: () => closeDesk(database) };
}

/** The process's own pools would keep the database from being dropped cleanly. */
async function closeDesk(database: TestDatabase): Promise<void> {
  const { database: prisma } = await import("@/lib/db/client");
  await prisma().$disconnect();
  await database.close();
}

function factories({ pool }: TestDatabase) {
  const token = async (owner: string | null, role: Role | null, tenants: "*" | string[]) => {
    const made = newToken();
    await pool.query(
      `INSERT INTO idemdesk.api_token (name, token_hash, operator_id, role, all_tenants, tenants, created_by)
       VALUES ('test', $1, $2, $3, $4, $5, 'test')`,
      [Buffer.from(hashToken(made)), owner, role, tenants === "*", tenants === "*" ? [] : tenants],
    );
    return made;
  };
  return {
    async tenant(name = "Tenant") {
      const id = randomUUID();
      await pool.query("INSERT INTO idemdesk.tenant (id, name) VALUES ($1, $2)", [id, name]);
      return id;
    },
    async operator(role: Role, tenants: "*" | string[] = "*"): Promise<TestOperator> {
      const id = randomUUID();
      const email = `${id.slice(0, 8)}@desk.test`;
      await pool.query("INSERT INTO idemdesk.operator (id, email, name, created_by) VALUES ($1, $2, $3, 'test')", [
        id,
        email,
        role,
      ]);
      for (const tenant of tenants === "*" ? [null] : tenants) {
        await pool.query(
          `INSERT INTO idemdesk.membership (operator_id, tenant_id, role, valid_until, created_by)
           VALUES ($1, $2, $3, now() + interval '1 day', 'test')`,
          [id, tenant, role],
        );
      }
      return { id, email, token: await token(id, null, []), cookie: await sessionCookie(id) };
    },
    service: (role: Role, tenants: "*" | string[] = "*") => token(null, role, tenants),
    async entries(action?: string) {
      const { rows } = await pool.query(
        `SELECT *, text::json AS json FROM idemdesk.audit_entry WHERE $1::text IS NULL OR action = $1 ORDER BY at, seq`,
        [action ?? null],
      );
      return rows;
    },
  };
}

interface SessionClaims {
  version?: number;
  signedInAt?: number;
  maxAge?: number;
}

export async function sessionCookie(operatorId: string, { version = 1, signedInAt, maxAge = 600 }: SessionClaims = {}) {
  const claims = { sub: operatorId, version, signedInAt: signedInAt ?? Math.floor(Date.now() / 1000) };
  return `next-auth.session-token=${await encode({ token: claims, secret: SECRET, maxAge })}`;
}

interface Sent {
  token?: string;
  cookie?: string;
  origin?: string | null;
  body?: unknown;
  key?: string | null;
  query?: string;
  headers?: Record<string, string>;
}

/** Sends a request to a route as Next would: the template's `{name}` filled from `params`. */
export async function send(route: Route, params: Record<string, string> = {}, sent: Sent = {}) {
  const { method, path } = route.definition;
  const url = `${DESK}${path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? "")}${sent.query ? `?${sent.query}` : ""}`;
  const headers = new Headers(sent.headers);
  if (sent.token) headers.set("Authorization", `Bearer ${sent.token}`);
  if (sent.cookie) headers.set("Cookie", sent.cookie);
  const origin = sent.origin === undefined && sent.cookie && method !== "GET" ? DESK : sent.origin;
  if (origin) headers.set("Origin", origin);
  const key = sent.key === undefined && route.keyed ? randomUUID() : sent.key;
  if (key) headers.set("Idempotency-Key", key);
  if (sent.body !== undefined && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  const body = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
  const request = new Request(url, { method, headers, ...(sent.body !== undefined && { body }) });
  const given = Object.keys(params).length > 0 ? params : undefined; // as Next does for a path without parameters
  const response = await route(request, { params: Promise.resolve(given) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : null };
}
