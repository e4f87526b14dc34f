import "server-only";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditOnce } from "@/lib/audit/commands";
import type { Actor, NewAuditEntry } from "@/lib/audit/schema";
import { type Desk, openDesk } from "../desk";

let desk: Desk;
let tenants: string[];
beforeAll(async () => {
  desk = await openDesk();
  tenants = [await desk.tenant(), await desk.tenant(), await desk.tenant()];
  await desk.pool.query(append("system"));
});
afterAll(() => desk.close());

function append(chain: string): string {
  return `SELECT idemdesk.append_audit('${chain}', '{"kind":"system","id":"t","label":"t"}', 'access.denied',
    '{"type":"test","id":"1"}', 'denied', NULL)`;
}

/** The chain recomputed by PostgreSQL itself: gapless numbers, each entry on its predecessor, each hash over its text. */
async function faults(): Promise<number> {
  const { rows } = await desk.pool.query(`
    SELECT count(*)::int AS faults
    FROM (
      SELECT *, row_number() OVER w AS expected_seq, lag(hash) OVER w AS before
      FROM idemdesk.audit_entry
      WINDOW w AS (PARTITION BY chain ORDER BY seq)
    ) AS e
    WHERE seq <> expected_seq
       OR previous_hash <> coalesce(before, decode(repeat('00', 32), 'hex'))
       OR hash <> sha256(previous_hash || convert_to(text, 'UTF8'))`);
  return rows[0].faults;
}

describe.each(["idemdesk_web", "idemdesk_worker", "idemdesk_maintenance"])("%s cannot", (role) => {
  let pool: Pool;
  beforeAll(() => {
    pool = new Pool({ connectionString: desk.urlFor(role), max: 1 });
  });
  afterAll(() => pool.end());

  test.each([
    "UPDATE idemdesk.audit_entry SET reason = 'x'",
    "DELETE FROM idemdesk.audit_entry",
    "TRUNCATE idemdesk.audit_entry",
    "TRUNCATE idemdesk.audit_entry CASCADE",
    "INSERT INTO idemdesk.audit_entry (chain, seq) VALUES ('system', 99)",
    "UPDATE idemdesk.audit_chain SET seq = 0",
    "DELETE FROM idemdesk.audit_chain",
    "ALTER TABLE idemdesk.audit_entry DISABLE TRIGGER ALL",
    "DROP TRIGGER append_only_rows ON idemdesk.audit_entry",
    "ALTER TABLE idemdesk.audit_entry NO FORCE ROW LEVEL SECURITY",
    "DROP TABLE idemdesk.audit_entry",
    "SET session_replication_role = replica",
    "CREATE OR REPLACE FUNCTION idemdesk.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
    "SET ROLE idemdesk_owner",
  ])("%s", async (statement) => {
    await expect(pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

test("not even the owner's role changes, deletes or truncates what stands", async () => {
  for (const statement of [
    "UPDATE idemdesk.audit_entry SET reason = 'x'",
    "DELETE FROM idemdesk.audit_entry",
    "TRUNCATE idemdesk.audit_entry",
  ]) {
    const client = await desk.pool.connect();
    await client.query("SET ROLE idemdesk_owner");
    await expect(client.query(statement)).rejects.toThrow("append-only");
    await client.query("RESET ROLE");
    client.release();
  }
});

test("the web role appends under its scope only", async () => {
  const web = new Pool({ connectionString: desk.url, max: 1 });
  const [mine = "", theirs = ""] = tenants;
  const client = await web.connect();
  await client.query("BEGIN");
  await client.query("SELECT set_config('idemdesk.tenants', $1, true)", [mine]);
  await client.query(append(mine));
  await expect(client.query(append(theirs))).rejects.toMatchObject({ code: "42501" });
  await client.query("ROLLBACK");
  client.release();
  await web.end();
  expect(await faults()).toBe(0);
});

test("fifty writers on few chains, some rolled back: gapless, no fork, no deadlock", async () => {
  const writers = new Pool({ connectionString: desk.urlFor("idemdesk_worker"), max: 50 });
  const write = async (index: number) => {
    const client = await writers.connect();
    try {
      for (let times = 0; times < 6; times++) {
        await client.query("BEGIN");
        await client.query(append(["system", ...tenants][(index + times) % 4] ?? "system"));
        await client.query((index + times) % 5 === 0 ? "ROLLBACK" : "COMMIT");
      }
    } finally {
      client.release();
    }
  };
  const { rows: before } = await desk.pool.query("SELECT count(*)::int AS n FROM idemdesk.audit_entry");
  await Promise.all(Array.from({ length: 50 }, (_, index) => write(index)));
  const { rows: after } = await desk.pool.query("SELECT count(*)::int AS n FROM idemdesk.audit_entry");
  expect(after[0].n - before[0].n).toBe(240);
  expect(await faults()).toBe(0);
  await writers.end();
});

test("the recount finds an edited, a missing and a reordered entry, so that its zero means something", async () => {
  const tampered = async (statement: string) => {
    const client = await desk.pool.connect();
    try {
      await client.query("BEGIN; SET LOCAL session_replication_role = replica");
      await client.query(statement);
      const { rows } = await client.query(`
        SELECT count(*)::int AS faults FROM (
          SELECT *, row_number() OVER w AS n, lag(hash) OVER w AS before FROM idemdesk.audit_entry
          WINDOW w AS (PARTITION BY chain ORDER BY seq)) AS e
        WHERE seq <> n OR previous_hash <> coalesce(before, decode(repeat('00', 32), 'hex'))
           OR hash <> sha256(previous_hash || convert_to(text, 'UTF8'))`);
      return rows[0].faults;
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  };
  expect(await tampered("UPDATE idemdesk.audit_entry SET text = text || ' ' WHERE seq = 2")).toBeGreaterThan(0);
  expect(await tampered("DELETE FROM idemdesk.audit_entry WHERE seq = 2")).toBeGreaterThan(0);
});

test("an entry kept once an hour is written the next time where it could not be written", async () => {
  const actor: Actor = { kind: "operator", id: "once", label: "x", requestId: null };
  const entry: NewAuditEntry = { chain: "system", action: "access.denied", target: { type: "test", id: "once" } };
  const once = (chain: string) => auditOnce("audit-hour", "once", actor, { ...entry, chain });
  await expect(once(tenants[0] ?? "")).rejects.toThrow(); // without a scope that holds the tenant
  await once("system");
  await once("system");
  expect((await desk.entries()).filter(({ actor_id }) => actor_id === "once")).toHaveLength(1);
});
