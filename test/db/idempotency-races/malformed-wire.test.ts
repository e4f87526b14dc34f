import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, type LayoutName, nodeListener, pgDatabase } from "@/lib/idempotency";
import { proofDatabase } from "@/test/factories/idempotency-database";
import { malformedRequests, requestLimit } from "@/test/factories/idempotency-malformed";
import { onTheWire, sendRaw } from "@/test/factories/idempotency-wire";
import type { TestDatabase } from "@/test/postgres";

const cases = malformedRequests();

describe.each<LayoutName>(["plain", "daily"])("malformed requests on the wire, %s layout", (layout) => {
  let database: TestDatabase;
  let server: Server;
  let port = 0;
  let runs = 0;

  beforeAll(async () => {
    database = await proofDatabase(layout);
    const options = { db: pgDatabase(database.pool), layout, endpoint: "POST /v1/payments", mode: "atomic" } as const;
    const handle = idempotent({ ...options, maxRequestBytes: requestLimit }, () => Response.json({ run: ++runs }));
    const tenant = randomUUID();
    server = createServer(nodeListener((request) => handle(request, { tenant })));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.close();
    await database.close();
  });

  test(`${cases.length} requests: each its typed 4xx, none a row, none a run`, async () => {
    expect(cases.length).toBeGreaterThanOrEqual(300);
    const wrong: unknown[] = [];
    for (const request of cases) {
      const { status, type, body } = await sendRaw(port, onTheWire(request));
      const { code, retryable } = Object(body);
      const right = status === request.status && code === request.code && type === "application/problem+json";
      if (!right || retryable !== false) wrong.push({ name: request.name, status, type, body });
    }
    expect(wrong).toEqual([]);
    const { rows } = await database.pool.query("SELECT count(*)::int AS rows FROM idempotency_keys");
    expect({ runs, ...rows[0] }).toEqual({ runs: 0, rows: 0 });
  });

  test("and the service still serves", async () => {
    const head = ["POST /v1/payments HTTP/1.1", `Idempotency-Key: ${generateKey()}`, "Content-Type: application/json"];
    const request = { name: "good", head, body: Buffer.from("{}"), status: 200, code: "" };
    expect(await sendRaw(port, onTheWire(request))).toMatchObject({ status: 200, body: { run: 1 } });
  });
});
