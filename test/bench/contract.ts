import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import {
  dailyTablesSql,
  dayPartitionSql,
  generateKey,
  idempotent,
  type LayoutName,
  pgDatabase,
  plainTablesSql,
} from "@/lib/idempotency";
import { createCluster, startCluster } from "@/lib/server/postgres/cluster";
import { alternate, type Figure } from "./figure";
import { fingerprintFigures } from "./fingerprint";

const tenant = "11111111-1111-4111-8111-111111111111";
const endpoint = "POST /v1/payments";
const rounds = 3_000;

/** What the contract adds to a request, against the statements nobody can do without; and fingerprint throughput. */
export async function run(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), "idemdesk-bench-"));
  chmodSync(directory, 0o711); // the server may run as another user and has to pass through
  const options = {
    dataDir: join(directory, "data"),
    logFile: join(directory, "server.log"),
    password: randomBytes(12).toString("hex"),
    settings: { fsync: "off", synchronous_commit: "off" }, // the disk's time would hide what is measured
  };
  await createCluster(options);
  const cluster = await startCluster(options);
  const pool = new Pool({ connectionString: cluster.url(), max: 2 });
  try {
    const layouts: LayoutName[] = ["plain", "daily"];
    const figures: Figure[] = [];
    for (const layout of layouts) figures.push(...(await layoutFigures(pool, layout)));
    return [...figures, ...fingerprintFigures()];
  } finally {
    await pool.end();
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function layoutFigures(pool: Pool, layout: LayoutName): Promise<Figure[]> {
  const names = { keys: `${layout}_keys`, guard: `${layout}_guard`, effect: `${layout}_effect` };
  const days = Array.from({ length: 3 }, (_, index) => new Date(Date.now() + (index - 1) * 86_400_000).toISOString());
  const daily = () =>
    [dailyTablesSql(names), ...days.map((day) => dayPartitionSql(day.slice(0, 10), names))].join("\n");
  await pool.query(layout === "daily" ? daily() : plainTablesSql(names));
  await pool.query(plainTablesSql({ keys: `${layout}_bare`, effect: `${layout}_bare_effect` }));

  const bare = async (request: Request) => Response.json({ id: "pay_1", for: await request.json() }, { status: 201 });
  const handle = idempotent({ db: pgDatabase(pool), layout, tables: names, endpoint, mode: "separate" }, bare);
  const statements = bareStatements(pool, `${layout}_bare`);

  let key = "";
  const first = await alternate(
    [
      () => bare(payment(generateKey())),
      () => statements.firstRequest(generateKey()),
      async () => {
        key = generateKey();
        await handle(payment(key), { tenant });
      },
    ],
    rounds,
  );
  const replay = await alternate([() => statements.read(), () => handle(payment(key), { tenant })], rounds);
  const [handler = 0, two = 0, whole = 0] = first;
  const [select = 0, replayed = 0] = replay;
  return [
    {
      figure: `${layout}: added latency of a first request / INSERT … ON CONFLICT and UPDATE`,
      ours: whole - handler,
      bare: two,
      unit: "ms",
      goal: 2,
    },
    { figure: `${layout}: replay / one SELECT`, ours: replayed, bare: select, unit: "ms", goal: 3 },
  ];
}

const body = JSON.stringify({
  amount: 4200,
  currency: "EUR",
  customer: "cus_1",
  description: "two tickets",
  items: [1, 2],
});

function payment(key: string): Request {
  const headers = { "Idempotency-Key": key, "Content-Type": "application/json" };
  return new Request("http://api.test/v1/payments", { method: "POST", headers, body });
}

/** The two statements of a first request and the one of a replay, as plain as `pg` sends them: named and prepared. */
function bareStatements(pool: Pool, table: string) {
  const insert = {
    name: `insert ${table}`,
    text: `INSERT INTO ${table} (tenant_id, endpoint, idem_key, fingerprint, state, locked_until, expires_at)
      VALUES ($1, $2, $3, $4, 'in_progress', now() + interval '60 s', now() + interval '1 day')
      ON CONFLICT (tenant_id, endpoint, idem_key) DO NOTHING RETURNING id`,
  };
  const update = {
    name: `update ${table}`,
    text: `UPDATE ${table} SET state = 'completed', response_status = 201, response_body = $2, response_headers = $3 WHERE id = $1`,
  };
  const select = {
    name: `select ${table}`,
    text: `SELECT * FROM ${table} WHERE tenant_id = $1 AND endpoint = $2 AND idem_key = $3`,
  };
  const answer = Buffer.from(JSON.stringify({ id: "pay_1", for: JSON.parse(body) }));
  const headers = JSON.stringify([["content-type", "application/json"]]);
  let last = "";
  return {
    async firstRequest(key: string) {
      last = key;
      const { rows } = await pool.query({ ...insert, values: [tenant, endpoint, key, randomBytes(32)] });
      await pool.query({ ...update, values: [rows[0].id, answer, headers] });
    },
    read: () => pool.query({ ...select, values: [tenant, endpoint, last] }),
  };
}
