import type { Sql } from "../sql";
import { dailyLayout } from "./daily";
import { Fragment, iso } from "./fragments";
import { now } from "./key-row";
import { plainLayout } from "./plain";
import type { Claim, State } from "./rows";
import type { Effect, OpenState, Store } from "./store";
import { type TableNames, type Tables, tables } from "./tables";

export type LayoutName = "plain" | "daily";

const stores = new Map<string, Store>();

/**
 * The store of one keys table. Every statement after the claim is fenced on the row claimed, its state and lease. Stores
 * hold no state but their statements' text, so one is shared by all who name the same tables.
 */
export function createStore(layout: LayoutName, names: TableNames = {}): Store {
  const name = JSON.stringify([layout, names.keys, names.guard, names.effect]);
  const store = stores.get(name) ?? makeStore(layout, names);
  stores.set(name, store);
  return store;
}

function makeStore(layout: LayoutName, names: TableNames): Store {
  const known = tables(names);
  const rows = layout === "daily" ? dailyLayout(known) : plainLayout(known);
  return { ...rows, ...shared(known) };
}

function shared({ keys, effect: effects, sql }: Tables) {
  async function mark(tx: Sql, claim: Claim, from: State, to: "failed" | "unknown") {
    const [row] = await sql(tx)<{ at: string }>`
      UPDATE ${keys} AS k SET state = ${to}
      WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
        AND k.state = ${from} AND k.locked_until = ${claim.lockedUntil}::timestamptz
      RETURNING ${now} AS at`;
    return row?.at ?? null;
  }

  // FOR SHARE makes recovery skip the row until this commits; it then sees the effect and never calls it failed.
  async function recordEffect(tx: Sql, claim: Claim, effect: Effect) {
    const [row] = await sql(tx)<{ at: string }>`
      WITH held AS MATERIALIZED (
        SELECT 1 FROM ${keys} AS k
        WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
          AND k.state = 'in_progress' AND k.locked_until = ${claim.lockedUntil}::timestamptz
          AND k.locked_until > clock_timestamp() + ${effect.timeoutMs}::float8 * interval '1 millisecond'
        FOR SHARE
      )
      INSERT INTO ${effects} (tenant_id, endpoint, idem_key, key_created_at, step, downstream_key, started_at)
      SELECT ${claim.tenant}::uuid, ${claim.endpoint}, ${claim.key}, ${claim.createdAt}::timestamptz,
             ${effect.step}, ${effect.downstreamKey}, clock_timestamp()
      FROM held
      ON CONFLICT DO NOTHING
      RETURNING ${iso("started_at")} AS at`;
    return row?.at ?? null;
  }

  async function hasEffect(tx: Sql, claim: Claim) {
    const found = await sql(tx)`
      SELECT 1 FROM ${effects}
      WHERE tenant_id = ${claim.tenant}::uuid AND endpoint = ${claim.endpoint} AND idem_key = ${claim.key}
        AND key_created_at = ${claim.createdAt}::timestamptz
      LIMIT 1`;
    return found.length > 0;
  }

  function open(db: Sql, state: OpenState, limit: number) {
    return sql(db)<Claim>`
      SELECT k.id::text AS id, k.tenant_id::text AS tenant, k.endpoint, k.idem_key AS key,
             ${iso("k.created_at")} AS "createdAt", ${iso("k.locked_until")} AS "lockedUntil"
      FROM ${keys} AS k
      WHERE k.state <> 'completed' AND k.state = ${state} AND ${ownerGone}
      ORDER BY k.locked_until LIMIT ${limit}::int`;
  }

  async function retake(tx: Sql, claim: Claim, state: OpenState) {
    const found = await sql(tx)`
      SELECT 1 FROM ${keys} AS k
      WHERE k.id = ${claim.id}::bigint AND k.created_at = ${claim.createdAt}::timestamptz
        AND k.state = ${state} AND k.locked_until = ${claim.lockedUntil}::timestamptz AND ${ownerGone}
      FOR UPDATE SKIP LOCKED`;
    return found.length > 0;
  }

  return { mark, recordEffect, hasEffect, open, retake };
}

/** While its lease lasts, the owner of a running claim is presumed alive. */
const ownerGone = new Fragment("(k.state <> 'in_progress' OR k.locked_until <= clock_timestamp())");
