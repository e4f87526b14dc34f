import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashKey } from "@/lib/idempotency";
import { type ClientKind, closedKinds, Pen, type PlannedAttempt } from "@/lib/sandbox/clients";
import { parseFault } from "@/lib/sandbox/fault";
import { playStory } from "@/lib/sandbox/history/play";
import { type HistoryEvent, Records } from "@/lib/sandbox/history/records";
import { seededRandom } from "@/lib/sandbox/random";
import { recoverOperations } from "@/lib/sandbox/service/recover";
import type { SandboxTenant } from "@/lib/sandbox/tenants";
import { requestOf } from "@/lib/sandbox/traffic/shopper";
import { openShop, type TestShop } from "./shop";

/** After a longer pause the worker has passed by: the database's times are moved back, and recovery runs. */
const SHORT_PAUSE_MS = 7_000;
/** What a request takes at most that asks for no slowness, in a story's own time. */
const QUICK_MS = 500;

/** Nothing here may hang on how fast this machine is. */
const PATIENT = { leaseMs: 25_000, providerTimeoutMs: 20_000 };

let shop: TestShop;
let lived: Map<ClientKind, { tenant: SandboxTenant; attempts: PlannedAttempt[]; startedAt: number }>;

beforeAll(async () => {
  shop = await openShop(PATIENT);
  lived = new Map();
  await Promise.all(closedKinds.map(live));
  await shop.service.sink.flush();
}, 120_000);
afterAll(() => shop.close());

/**
 * Sends a kind's attempts to the real service in their order. Nothing waits for a clock: an attempt goes out when those
 * planned to be over are over, and those planned to run have claimed their key.
 */
async function live(kind: ClientKind): Promise<void> {
  const tenant = await newTenant(kind.name);
  const startedAt = Date.now();
  const attempts = kind.tell(new Pen(seededRandom(kind.name), tenant, startedAt));
  lived.set(kind, { tenant, attempts, startedAt });
  const sent: { planned: PlannedAttempt; answer: Promise<Response> }[] = [];
  for (const planned of attempts.toSorted((a, b) => a.atMs - b.atMs)) {
    await Promise.all(sent.filter((earlier) => endOf(earlier.planned) < planned.atMs).map(({ answer }) => answer));
    const pause = planned.atMs - (sent.at(-1)?.planned.atMs ?? 0);
    if (pause > SHORT_PAUSE_MS) {
      await moveBack(tenant.tenantId, pause);
      await recoverOperations(shop.service);
    }
    if (sent.some((earlier) => earlier.planned.key === planned.key)) await claimed(tenant.tenantId);
    const request = requestOf({ kind, tenant, attempts }, planned, "http://sandbox.test");
    sent.push({ planned, answer: planned.resource === "payments" ? shop.api.pay(request) : shop.api.refund(request) });
  }
  await Promise.all(sent.map(({ answer }) => answer));
}

function endOf({ atMs, fault }: PlannedAttempt): number {
  const parsed = fault === null ? null : parseFault(fault);
  return atMs + (parsed?.kind === "slow" && parsed.ms > QUICK_MS ? parsed.ms : QUICK_MS);
}

/** Waits until the tenant has an event: its first attempt has claimed its key, or was refused. */
async function claimed(tenant: string): Promise<void> {
  const text = "SELECT FROM idemdesk.event WHERE tenant_id = $1 LIMIT 1";
  const deadline = Date.now() + 20_000;
  while ((await shop.database.pool.query(text, [tenant])).rowCount === 0) {
    if (Date.now() > deadline) throw new Error(`Nothing was claimed: ${shop.errors.map(String).join("; ")}`);
    await sleep(10);
  }
}

async function newTenant(name: string): Promise<SandboxTenant> {
  const tenant = { tenantId: randomUUID(), name, apiKey: randomUUID(), weight: 1, counter: 1_000 };
  await shop.database.pool.query("INSERT INTO sandbox.tenant (id, name, api_key, share) VALUES ($1, $2, $3, 1)", [
    tenant.tenantId,
    name,
    tenant.apiKey,
  ]);
  return tenant;
}

async function moveBack(tenant: string, ms: number): Promise<void> {
  for (const assignments of [
    "public.idempotency_keys SET locked_until = locked_until - $2 * i, expires_at = expires_at - $2 * i",
    "public.idempotency_guard SET free_at = free_at - $2 * i",
    "public.idempotency_effect SET started_at = started_at - $2 * i",
    "sandbox.provider_charge SET at = at - $2 * i",
  ]) {
    const text = `UPDATE ${assignments.replaceAll("* i", "* interval '1 ms'")} WHERE tenant_id = $1`;
    await shop.database.pool.query(text, [tenant, ms]);
  }
}

/** What an operation left behind, apart from times and ids. */
interface Trace {
  events: string[];
  rows: string[];
  charges: string[];
}

async function livedTrace(tenant: string, keyHash: string): Promise<Trace> {
  const { rows } = await shop.database.pool.query<Trace>(
    `WITH key AS (
       SELECT * FROM public.idempotency_keys
       WHERE tenant_id = $1 AND encode(sha256(convert_to(idem_key, 'UTF8')), 'hex') = $2
     )
     SELECT
       (SELECT coalesce(array_agg(concat_ws(' ', kind, state, replayed, response_status, retry_after_ms, error_code,
          source, amount, currency, customer, array_to_string(refs, '+'),
          CASE WHEN fingerprint IS NOT NULL THEN 'fingerprint' END, CASE WHEN duration_ms IS NOT NULL THEN 'duration' END,
          CASE WHEN request_id IS NOT NULL THEN 'request' END, CASE WHEN trace_id IS NOT NULL THEN 'trace' END,
          CASE WHEN downstream_key_hash IS NOT NULL THEN 'downstream' END,
          CASE WHEN provider_reference IS NOT NULL THEN 'provider' END) ORDER BY 1), '{}')
        FROM idemdesk.event WHERE tenant_id = $1 AND key_hash = decode($2, 'hex')) AS events,
       (SELECT coalesce(array_agg(concat_ws(' ', state, response_status) ORDER BY 1), '{}') FROM key) AS rows,
       (SELECT coalesce(array_agg(status ORDER BY 1), '{}') FROM sandbox.provider_charge
        WHERE downstream_key IN (
          SELECT downstream_key FROM public.idempotency_effect AS e JOIN key USING (tenant_id, endpoint, idem_key)))
       AS charges`,
    [tenant, keyHash],
  );
  const [trace] = rows;
  if (!trace) throw new Error("No trace");
  return sorted(trace);
}

function toldTrace(records: Records, keyHash: string): Trace {
  const told = records.events.map(({ event }) => event).filter((event) => event.keyHash === keyHash);
  const downstream = new Set(records.effects.filter((e) => e.keyHash === keyHash).map((e) => e.downstreamKey));
  return sorted({
    events: told.map(spellEvent),
    rows: records.keys
      .filter((row) => row.keyHash === keyHash)
      .map(({ state, answer }) => [state, ...(answer ? [answer.status] : [])].join(" ")),
    charges: records.charges.filter((c) => downstream.has(c.downstreamKey)).map(({ status }) => status),
  });
}

function spellEvent(event: HistoryEvent): string {
  const parts = [
    event.kind,
    event.state,
    event.replayed ? "t" : "f",
    event.responseStatus,
    event.retryAfterMs,
    event.errorCode,
    event.source,
    event.amount,
    event.currency,
    event.customer,
    event.references?.join("+"),
    event.fingerprint && "fingerprint",
    event.durationMs !== undefined && "duration",
    event.requestId && "request",
    event.traceId && "trace",
    event.downstreamKeyHash && "downstream",
    event.providerReference && "provider",
  ];
  return parts.filter((part) => part !== undefined && part !== false).join(" ");
}

function sorted({ events, rows, charges }: Trace): Trace {
  return { events: events.toSorted(), rows: rows.toSorted(), charges: charges.toSorted() };
}

describe("history tells of each kind of client what the real service does with it", () => {
  test.each(closedKinds)("$name", async (kind) => {
    const { tenant, attempts, startedAt } = lived.get(kind) ?? {};
    if (!tenant || !attempts || !startedAt) throw new Error("The kind was not lived");
    const records = new Records();
    const end = Math.max(...attempts.map(({ atMs }) => atMs)) + 60_000;
    playStory({ kind, tenant, startedAt, attempts }, seededRandom("history"), records, (startedAt + end) * 1_000);

    for (const key of new Set(attempts.map((attempt) => attempt.key).filter((used) => used !== null))) {
      const real = await livedTrace(tenant.tenantId, hashKey(key));
      expect(toldTrace(records, hashKey(key))).toEqual(real);
      expect(real.charges.filter((status) => status !== "declined")).toHaveLength(kind.expected.charges);
    }
  });
});
