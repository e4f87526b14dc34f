import "server-only";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintScope, type Scope } from "@/lib/db/scope";
import { scopedRead } from "@/lib/db/transaction";
import { listKeys } from "@/lib/lookup/queries/list";
import { loadPicture } from "@/lib/lookup/queries/picture";
import { readTenantIds, readYardstick } from "@/lib/lookup/queries/yardstick";
import { hintsOf } from "@/lib/lookup/rules/hints";
import type { KeyRow } from "@/lib/lookup/rules/model";
import { verdictOf } from "@/lib/lookup/rules/verdict";
import { clientKinds } from "@/lib/sandbox/clients";
import { seedSandbox } from "@/lib/sandbox/history/seed";
import { type Desk, openDesk } from "../desk";

const OPERATIONS = 5_200;
const BATCH = 20;
const NOBODY = "00000000-0000-4000-8000-000000000000";
/** Verdicts that tell a customer that no money moved under this key. */
const saysNothingHappened = new Set(["released", "refused_only", "declined", "never_seen"]);

interface Truth {
  tenantId: string;
  endpoint: string;
  keyHash: string;
  kind: string;
  verdict: string;
  hints: string[];
  /** Charges and refunds in the provider's own ledger. */
  charged: number;
}

interface Told {
  code: string;
  hints: string[];
}

let desk: Desk;
let told: [Truth, Told][];

beforeAll(async () => {
  desk = await openDesk();
  const now = Date.now();
  await seedSandbox(desk.pool, { operations: OPERATIONS, days: 4, bodyKeys: [], now });
  told = await tellAll(await readTruth(), new Date(now).toISOString().replace("Z", "000Z"));
}, 900_000);

afterAll(() => desk.close());

/** Joined by what the service sent the provider, not by anything the desk concludes. */
async function readTruth(): Promise<Truth[]> {
  const { rows } = await desk.pool.query<Truth>(`
    WITH sent AS (
      SELECT DISTINCT tenant_id, endpoint, key_hash, downstream_key_hash
      FROM idemdesk.event WHERE downstream_key_hash IS NOT NULL
    ), charged AS (
      SELECT sent.tenant_id, sent.endpoint, sent.key_hash, count(*)::int AS charges
      FROM sent
      JOIN sandbox.provider_charge AS c ON sha256(convert_to(c.downstream_key, 'UTF8')) = sent.downstream_key_hash
      WHERE c.status <> 'declined'
      GROUP BY 1, 2, 3
    )
    SELECT kind.tenant_id::text AS "tenantId", kind.endpoint, encode(kind.key_hash, 'hex') AS "keyHash", kind.kind,
           kind.verdict, kind.hints, coalesce(charged.charges, 0) AS charged
    FROM sandbox.operation_kind AS kind
    LEFT JOIN charged USING (tenant_id, endpoint, key_hash)
    ORDER BY kind.tenant_id, kind.key_hash`);
  return rows;
}

/** What the desk says of each, as of the moment at which history ends. */
async function tellAll(truths: readonly Truth[], now: string): Promise<[Truth, Told][]> {
  const scope = mintScope("*", NOBODY);
  const rows = await readRows(scope);
  const batches = Array.from({ length: Math.ceil(truths.length / BATCH) }, (_, at) =>
    truths.slice(at * BATCH, (at + 1) * BATCH),
  );
  const all: [Truth, Told][] = [];
  for (const batch of batches) all.push(...(await tellBatch(scope, batch, rows, now)));
  return all;
}

/** The newest row of each operation, as the list reads them. */
function readRows(scope: Scope): Promise<Map<string, KeyRow>> {
  return scopedRead(scope, async (tx) => {
    const rows = await listKeys(tx, await readTenantIds(tx), { direction: "asc", after: null, limit: 20_000 });
    return new Map(rows.map((row) => [nameOf(row), row]));
  });
}

const nameOf = ({ tenantId, endpoint, keyHash }: Pick<KeyRow, "tenantId" | "endpoint" | "keyHash">) =>
  `${tenantId} ${endpoint} ${keyHash}`;

function tellBatch(scope: Scope, truths: readonly Truth[], rows: Map<string, KeyRow>, now: string) {
  return scopedRead(scope, async (tx) => {
    const yardstick = { ...(await readYardstick(tx)), now };
    const batch: [Truth, Told][] = [];
    for (const truth of truths) {
      const { picture } = await loadPicture(tx, { ...truth, row: rows.get(nameOf(truth)) ?? null }, yardstick);
      const hints = hintsOf(picture).map(({ code }) => code);
      batch.push([truth, { code: verdictOf(picture)?.code ?? "never_seen", hints: [...hints].sort() }]);
    }
    return batch;
  });
}

test("history has every kind of client, and operations enough", () => {
  expect(told.length).toBeGreaterThanOrEqual(5_000);
  const kinds = new Set(told.map(([{ kind }]) => kind));
  expect(clientKinds.map(({ name }) => name).filter((name) => !kinds.has(name))).toEqual([]);
});

test("`executed_once` is said only where the provider charged once", () => {
  const wrong = told.filter(([{ charged }, { code }]) => code === "executed_once" && charged !== 1);
  expect(wrong).toEqual([]);
});

test("no charge is missed: nothing is said not to have happened that the provider's ledger holds", () => {
  const missed = told.filter(([{ charged }, { code }]) => charged > 0 && saysNothingHappened.has(code));
  expect(missed).toEqual([]);
});

test("a key that charged twice is said to have run again", () => {
  const twice = told.filter(([{ charged }]) => charged > 1);
  expect(twice.length).toBeGreaterThan(0);
  expect(twice.filter(([, { code }]) => code !== "expired_then_reused")).toEqual([]);
});

test.each(clientKinds.map(({ name }) => name))("%s: the verdict and the hints are those the rules call for", (name) => {
  const own = told.filter(([{ kind }]) => kind === name);
  const wrong = own.filter(([{ verdict, hints }, said]) => {
    return said.code !== verdict || JSON.stringify(said.hints) !== JSON.stringify([...hints].sort());
  });
  expect(wrong.slice(0, 3)).toEqual([]);
});
