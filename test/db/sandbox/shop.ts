import { randomBytes, randomUUID } from "node:crypto";
import { Pool } from "pg";
import { hashKey, type KeyRing } from "@/lib/idempotency";
import { endpoints } from "@/lib/sandbox/endpoints";
import { faultHeader } from "@/lib/sandbox/fault";
import { createSandboxApi, type SandboxApi } from "@/lib/sandbox/service/api";
import { createService, type Service, type ServiceOptions } from "@/lib/sandbox/service/service";
import { type TestDatabase, testDatabase } from "@/test/postgres";

export const ring: KeyRing = { current: "k1", keys: { k1: new Uint8Array(32).fill(7) } };

/** The sandbox's service on a database of its own, as role `sandbox_payments`, with one tenant. */
export interface TestShop {
  database: TestDatabase;
  service: Service;
  api: SandboxApi;
  tenant: string;
  apiKey: string;
  /** Errors that became an answer. */
  errors: unknown[];
  pay(key: string | null, sent?: Sent): Promise<Response>;
  refund(key: string, body: object): Promise<Response>;
  row(key: string): Promise<{ state: string; response_status: number | null } | undefined>;
  /** The provider's ledger: the truth. */
  ledger(): Promise<{ id: string; status: string; amount: number; held: boolean }[]>;
  payments(): Promise<{ id: string; status: string; providerReference: string }[]>;
  /** Kinds of the key's events in order, buffered ones included. */
  kinds(key: string): Promise<string[]>;
  /** Lets the leases and the visibility delay of everything pass: nothing waits for a clock. */
  passTime(): Promise<void>;
  /** Removes every operation and what it left; a new database takes seconds. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

interface Sent {
  body?: object | string;
  fault?: string;
  headers?: Record<string, string>;
}

export const order = { amount: 4_200, currency: "EUR", customer: "cus_1", order: "ORD-1" };

export async function openShop(times: Pick<ServiceOptions, "leaseMs" | "providerTimeoutMs"> = {}): Promise<TestShop> {
  const database = await testDatabase();
  const pool = new Pool({ connectionString: database.urlFor("sandbox_payments"), max: 10 });
  pool.on("error", () => undefined);
  const errors: unknown[] = [];
  const service = createService(pool, { ring, report: (error) => errors.push(error), ...times });
  const api = createSandboxApi(service);
  const { tenant, apiKey } = await addTenant(database);
  const send = (path: string, key: string | null, { body = order, fault, headers }: Sent) => {
    const all = new Headers({ Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", ...headers });
    if (key !== null) all.set("Idempotency-Key", key);
    if (fault !== undefined) all.set(faultHeader, fault);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Request(`http://sandbox.test${path}`, { method: "POST", headers: all, body: text });
  };
  return {
    database,
    service,
    api,
    tenant,
    apiKey,
    errors,
    pay: (key, sent = {}) => api.pay(send(endpoints.payments.path, key, sent)),
    refund: (key, body) => api.refund(send(endpoints.refunds.path, key, { body })),
    ...views(database, service, tenant),
    async close() {
      await service.sink.close();
      await pool.end();
      await database.close();
    },
  };
}

async function addTenant({ pool }: TestDatabase) {
  const [tenant, apiKey] = [randomUUID(), randomBytes(12).toString("hex")];
  await pool.query("INSERT INTO sandbox.tenant (id, name, api_key, share) VALUES ($1, 'Shop', $2, 1)", [
    tenant,
    apiKey,
  ]);
  return { tenant, apiKey };
}

const left = [
  "public.idempotency_keys",
  "public.idempotency_guard",
  "public.idempotency_effect",
  "sandbox.payment",
  "sandbox.refund",
  "sandbox.provider_charge",
  "idemdesk.event",
];

function views({ pool }: TestDatabase, service: Service, tenant: string) {
  const rows = async <Row extends object>(text: string, ...values: unknown[]) =>
    (await pool.query<Row>(text, values)).rows;
  return {
    row: async (key: string) =>
      (
        await rows<{ state: string; response_status: number | null }>(
          `SELECT state, response_status FROM public.idempotency_keys
           WHERE tenant_id = $1 AND idem_key = $2 ORDER BY created_at DESC LIMIT 1`,
          tenant,
          key,
        )
      )[0],
    ledger: () =>
      rows<{ id: string; status: string; amount: number; held: boolean }>(
        "SELECT id, status, amount::float8 AS amount, held FROM sandbox.provider_charge ORDER BY at",
      ),
    payments: () =>
      rows<{ id: string; status: string; providerReference: string }>(
        `SELECT id, status, provider_reference AS "providerReference" FROM sandbox.payment ORDER BY created_at`,
      ),
    async kinds(key: string) {
      await service.sink.flush();
      const found = await rows<{ kind: string }>(
        `SELECT kind FROM idemdesk.event WHERE tenant_id = $1 AND key_hash = decode($2, 'hex')
         ORDER BY occurred_at, event_id`,
        tenant,
        hashKey(key),
      );
      return found.map(({ kind }) => kind);
    },
    async clear() {
      await service.sink.flush();
      for (const table of left) await pool.query(`DELETE FROM ${table}`);
    },
    async passTime() {
      await pool.query("UPDATE public.idempotency_keys SET locked_until = locked_until - interval '1 hour'");
      await pool.query("UPDATE public.idempotency_effect SET started_at = started_at - interval '1 hour'");
      await pool.query("UPDATE sandbox.provider_charge SET at = at - interval '1 hour'");
    },
  };
}
