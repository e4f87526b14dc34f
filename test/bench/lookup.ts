import type { Pool } from "pg";
import { hashKey } from "@/lib/idempotency";
import { fullSize } from "@/test/factories/fixture";
import { alternate, type Figure } from "./figure";
import { openWorld, type World } from "./lookup-world";
import type { BenchOptions } from "./run";

const ROUNDS = 400;
const SAMPLES = 97;

interface Sample {
  id: string;
  tenantId: string;
  endpoint: string;
  key: string;
  createdAt: string;
}

/** The look-up through the built desk, against the same by `pg` and against what the server costs by itself. */
export async function run({ rows = fullSize.rows }: BenchOptions): Promise<Figure[]> {
  const world = await openWorld(rows);
  try {
    const samples = await readSamples(world.owner);
    return [...(await httpFigures(world, samples)), ...(await layoutFigures(world, samples))];
  } finally {
    await world.close();
  }
}

/** Keys of all tenants and days, spread evenly over the table. */
async function readSamples(owner: Pool): Promise<Sample[]> {
  const { rows } = await owner.query<Sample>(
    `SELECT id::text, tenant_id::text AS "tenantId", endpoint, idem_key AS key, created_at::text AS "createdAt"
     FROM public.plain_keys
     WHERE id IN (SELECT 1 + n * (SELECT max(id) FROM public.plain_keys) / ${SAMPLES} FROM generate_series(0, ${SAMPLES - 1}) AS n)`,
  );
  return rows;
}

async function httpFigures({ address, token, web }: World, samples: Sample[]): Promise<Figure[]> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const call = async (path: string, body?: object) => {
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${address}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return text;
  };
  const search = (body: object) => call("/api/v1/keys/search", body);
  const next = turns(samples);
  const medians = await alternate(
    [
      () => call("/healthz"),
      () => scoped(web, next(), exactSql("idemdesk.key")),
      () => search(exactOf(next())),
      () => search({ tenantId: next().tenantId, keyHash: hashKey(next.last().key) }),
      () => search({ tenantId: next().tenantId, keyHashPrefix: hashKey(next.last().key).slice(0, 8) }),
      () => search({ ...exactOf(next()), key: `missing-${next.last().key}` }),
      () => call(`/api/v1/tenants/${next().tenantId}/keys/${next.last().id}/chain`),
    ],
    ROUNDS,
  );
  const [empty = 0, pg = 0, exact = 0, hash = 0, prefix = 0, miss = 0, chain = 0] = medians;
  return [
    against("lookup: exact through HTTP / the same scoped transaction by pg", exact, pg, 4),
    against("lookup: exact through HTTP / an empty route handler of the same server", exact, empty, 2),
    against("lookup: key hash / exact", hash, exact, 1.5),
    against("lookup: 8-digit prefix / exact", prefix, exact, 2.5),
    against("lookup: miss / exact", miss, exact, 1.5),
    against("chain: chain / exact", chain, exact, 2),
  ];
}

async function layoutFigures({ web }: World, samples: Sample[]): Promise<Figure[]> {
  const next = turns(samples);
  const medians = await alternate(
    [
      () => scoped(web, next(), exactSql("idemdesk.plain_key")),
      () => scoped(web, next(), exactSql("idemdesk.key")),
      () => scoped(web, next(), nearSql),
    ],
    ROUNDS,
  );
  const [plain = 0, daily = 0, near = 0] = medians;
  return [
    against("lookup: 30 partitions without a time / plain table", daily, plain, 6),
    against("lookup: 30 partitions with the time from events / plain table", near, plain, 2.5),
  ];
}

function against(figure: string, ours: number, bare: number, goal: number): Figure {
  return { figure, ours, bare, unit: "ms", goal };
}

const exactOf = ({ tenantId, endpoint, key }: Sample) => ({ tenantId, endpoint, key });

/** Walks round the samples; `last` is the one just given. */
function turns(samples: Sample[]) {
  let at = 0;
  const pick = (index: number) => {
    const sample = samples[index % samples.length];
    if (!sample) throw new Error("The fixture is empty.");
    return sample;
  };
  return Object.assign(() => pick(at++), { last: () => pick(at - 1) });
}

const columns = `id::text, tenant_id::text, endpoint, idem_key, encode(fingerprint, 'hex') AS fingerprint, state,
  response_status, octet_length(response_body) AS body_bytes, idemdesk.utc(locked_until) AS locked_until,
  idemdesk.utc(created_at) AS created_at, idemdesk.utc(expires_at) AS expires_at`;

const exactSql = (table: string) => ({
  name: `exact in ${table}`,
  text: `SELECT ${columns} FROM ${table} WHERE tenant_id = $1 AND endpoint = $2 AND idem_key = $3 LIMIT 101`,
  values: ({ tenantId, endpoint, key }: Sample) => [tenantId, endpoint, key],
});

const nearSql = {
  name: "exact with its time",
  text: `SELECT ${columns} FROM idemdesk.key
    WHERE tenant_id = $1 AND endpoint = $2 AND idem_key = $3 AND created_at >= $4 AND created_at <= $4 LIMIT 101`,
  values: ({ tenantId, endpoint, key, createdAt }: Sample) => [tenantId, endpoint, key, createdAt],
};

/** The least a scoped read can be: BEGIN, the scope, one named statement, COMMIT. */
async function scoped(
  pool: Pool,
  sample: Sample,
  { name, text, values }: { name: string; text: string; values(sample: Sample): unknown[] },
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const settings = [sample.tenantId, "00000000-0000-4000-8000-000000000000"];
    const scope = "SELECT set_config('idemdesk.tenants', $1, true), set_config('idemdesk.principal', $2, true)";
    await client.query({ name: "scope", text: scope, values: settings });
    const { rows } = await client.query({ name, text, values: values(sample) });
    if (rows.length !== 1) throw new Error(`${name} found ${rows.length} rows`);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}
