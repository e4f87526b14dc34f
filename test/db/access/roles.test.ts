import "server-only";
import { randomUUID } from "node:crypto";
import { Pool, type PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refuseUnfitDatabase } from "@/lib/server/web-role";
import { type Desk, openDesk } from "../desk";

/** What the runtime roles can reach, asked as these roles, over a pool of one connection. */
let desk: Desk;
let web: Pool;
let tenantA: string;
let tenantB: string;
beforeAll(async () => {
  desk = await openDesk();
  web = new Pool({ connectionString: desk.url, max: 1 });
  [tenantA, tenantB] = [await desk.tenant("A"), await desk.tenant("B")];
  for (const tenant of [tenantA, tenantB]) await plant(tenant);
});
afterAll(async () => {
  await web.end();
  await desk.close();
});

/** One row in every table that belongs to a tenant. */
async function plant(tenant: string): Promise<void> {
  await desk.pool.query(
    `INSERT INTO idemdesk.event (tenant_id, event_id, occurred_at, kind, endpoint, key_hash)
     VALUES ($1, 'e1', now(), 'claimed', 'POST /v1/payments', sha256('k'))`,
    [tenant],
  );
  await desk.pool.query(
    `INSERT INTO idemdesk.key_note (tenant_id, endpoint, key_hash, text, author_id, author)
     VALUES ($1, 'POST /v1/payments', sha256('k'), 'note', gen_random_uuid(), 'x')`,
    [tenant],
  );
  await desk.pool.query(
    `INSERT INTO public.idempotency_keys (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, expires_at)
     VALUES ($1, 'POST /v1/payments', $2, sha256('f'), 'in_progress', now(), now() + interval '1 day')`,
    [tenant, randomUUID()],
  );
  await desk.pool.query(
    `SELECT idemdesk.append_audit($1, '{"kind":"system","id":"x","label":"x"}', 'key.revealed', '{"type":"key","id":"1"}', 'done', NULL)`,
    [tenant],
  );
}

async function inTransaction<T>(tenants: string | null, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await web.connect();
  try {
    await client.query("BEGIN");
    if (tenants !== null) await client.query("SELECT set_config('idemdesk.tenants', $1, true)", [tenants]);
    const result = await run(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

const tables = { key: "tenant_id", event: "tenant_id", key_note: "tenant_id", tenant: "id", audit_entry: "tenant_id" };

function tenantsSeen(table: string, column: string, tenants: string | null): Promise<Set<string | null>> {
  return inTransaction(tenants, async (client) => {
    const { rows } = await client.query(`SELECT DISTINCT ${column}::text AS tenant FROM idemdesk.${table}`);
    return new Set(rows.map(({ tenant }) => tenant));
  });
}

describe.each(Object.entries(tables))("the web role reads idemdesk.%s", (table, column) => {
  test.each([
    ["unset", () => null],
    ["empty", () => ""],
    ["malformed", () => "all"],
    ["half a list", () => `${tenantA},`],
    ["a quote", () => `'${tenantA}'`],
    ["a list with the star", () => `*,${tenantA}`],
    ["a tenant that does not exist", () => randomUUID()],
  ])("not at all, and without an error, under a scope that is %s", async (_, scope) => {
    expect(await tenantsSeen(table, column, scope())).toEqual(new Set());
  });

  test("one tenant, the other and both, on one connection in turn, nothing left over", async () => {
    for (let times = 0; times < 3; times++) {
      expect(await tenantsSeen(table, column, tenantA)).toEqual(new Set([tenantA]));
      expect(await tenantsSeen(table, column, tenantB)).toEqual(new Set([tenantB]));
      expect(await tenantsSeen(table, column, null)).toEqual(new Set());
      expect(await tenantsSeen(table, column, `${tenantA},${tenantB}`)).toEqual(new Set([tenantA, tenantB]));
    }
    const all = await tenantsSeen(table, column, "*");
    expect([all.has(tenantA), all.has(tenantB)]).toEqual([true, true]);
  });
});

const denied = { code: "42501" };

describe("the web role cannot", () => {
  test.each([
    [
      "write another tenant's note",
      `INSERT INTO idemdesk.key_note (tenant_id, endpoint, key_hash, text, author_id, author)
       VALUES ('${randomUUID()}', 'e', sha256('k'), 't', gen_random_uuid(), 'x')`,
    ],
    ["read a partition of events past the policy", "SELECT * FROM idemdesk.event_parked"],
    ["read the keys' own table", "SELECT * FROM public.idempotency_keys"],
    ["change a key", "UPDATE idemdesk.key SET state = 'completed'"],
    ["delete a key", "DELETE FROM idemdesk.key"],
    ["write an event", "INSERT INTO idemdesk.event (tenant_id) VALUES (gen_random_uuid())"],
    ["make a tenant", "INSERT INTO idemdesk.tenant (id, name) VALUES (gen_random_uuid(), 'x')"],
    ["read the chains' heads", "SELECT * FROM idemdesk.audit_chain"],
    ["become the owner", "SET ROLE idemdesk_owner"],
    ["become the worker", "SET ROLE idemdesk_worker"],
  ])("%s", async (_, statement) => {
    await expect(inTransaction(tenantA, (client) => client.query(statement))).rejects.toMatchObject(denied);
  });

  test("read today's partition of events directly", async () => {
    const { rows } = await desk.pool.query("SELECT tableoid::regclass::text AS part FROM idemdesk.event LIMIT 1");
    const read = inTransaction("*", (client) => client.query(`SELECT FROM ${rows[0].part}`));
    await expect(read).rejects.toMatchObject(denied);
  });

  test("see another principal's keys of our own API", async () => {
    const owner = randomUUID();
    await desk.pool.query(
      `INSERT INTO idemdesk.request (tenant_id, endpoint, idem_key, fingerprint, state, expires_at)
       VALUES ($1, 'e', 'k', sha256('f'), 'completed', now())`,
      [owner],
    );
    const count = (principal: string) =>
      inTransaction("*", async (client) => {
        await client.query("SELECT set_config('idemdesk.principal', $1, true)", [principal]);
        return (await client.query("SELECT FROM idemdesk.request")).rowCount;
      });
    expect([await count(owner), await count(randomUUID()), await count("")]).toEqual([1, 0, 0]);
  });
});

describe("a web process is refused", () => {
  test("as superuser, as BYPASSRLS and as a member of the owner; the web role is not", async () => {
    await expect(refuseUnfitDatabase(desk.ownerUrl)).rejects.toThrow("is a superuser");
    await refuseUnfitDatabase(desk.url);
    const role = `web_${randomUUID().slice(0, 8)}`;
    const url = new URL(desk.ownerUrl);
    Object.assign(url, { username: role, password: "p" });
    try {
      await desk.pool.query(`CREATE ROLE ${role} LOGIN BYPASSRLS PASSWORD 'p'`);
      await expect(refuseUnfitDatabase(url.href)).rejects.toThrow("BYPASSRLS");
      await desk.pool.query(`ALTER ROLE ${role} NOBYPASSRLS; GRANT idemdesk_owner TO ${role}`);
      await expect(refuseUnfitDatabase(url.href)).rejects.toThrow("owns tables");
    } finally {
      await desk.pool.query(`DROP ROLE IF EXISTS ${role}`);
    }
  });
});
