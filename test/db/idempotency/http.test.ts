import { createServer, type Server } from "node:http";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, idempotent, sendResponse, toRequest } from "@/lib/idempotency";
import { idempotentClient, memoryStore } from "@/lib/idempotency/client";
import { endpoint, type Service, startService } from "./service";

describe("over node:http", () => {
  let service: Service;
  let server: Server;
  let url = "";
  let runs = 0;
  /** How many answers are cut off before they reach the client. */
  let cutOff = 0;

  beforeAll(async () => {
    service = await startService("daily");
    const { db, sink } = service;
    const handle = idempotent({ db, sink, layout: "daily", endpoint, mode: "atomic" }, async (_, { tx, operation }) => {
      runs++;
      await tx.query`INSERT INTO payment (tenant_id, endpoint, idem_key)
        VALUES (${operation.tenant}::uuid, ${operation.endpoint}, ${operation.key})`;
      return Response.json({ run: runs }, { status: 201 });
    });
    server = createServer(async (incoming, outgoing) => {
      const response = await handle(toRequest(incoming), { tenant: service.tenant });
      if (cutOff-- > 0) outgoing.destroy();
      else await sendResponse(outgoing, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = typeof address === "object" ? `http://127.0.0.1:${address?.port}/v1/payments` : "";
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  test("the answer is lost twice: one key, one payment, and the client gets the replay", async () => {
    const before = runs;
    cutOff = 2;
    const client = idempotentClient({ store: memoryStore(), enforcesKeys: true, ttlMs: 86_400_000, baseDelayMs: 1 });
    const result = await client.send({ id: "order-1", method: "POST", url, body: '{"amount":4200}' });
    expect(result).toMatchObject({ outcome: "done", warnings: [], attempts: { length: 3 } });
    expect(result.response.headers.get("Idempotent-Replayed")).toBe("true");
    expect(runs - before).toBe(1);
    const { rowCount } = await service.pool.query("SELECT FROM payment WHERE idem_key = $1", [result.key]);
    expect(rowCount).toBe(1);
    expect(service.kinds(result.key)).toEqual(["claimed", "completed", "replayed", "replayed"]);
  });

  test.each([
    ["no body", undefined, undefined],
    ["an empty body", "", "application/json"],
    ["an empty object", "{}", "application/json"],
  ])("%s is an operation of its own", async (_, body, type) => {
    const key = generateKey();
    const headers = { "Idempotency-Key": key, ...(type && { "Content-Type": type }) };
    const first = await fetch(url, { method: "POST", headers, ...(body !== undefined && { body }) });
    const again = await fetch(url, { method: "POST", headers, ...(body !== undefined && { body }) });
    const other = await fetch(url, {
      method: "POST",
      headers: { "Idempotency-Key": key, "Content-Type": "application/json" },
      body: "null",
    });
    expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
  });

  test.each([
    ["the header sent twice", "Idempotency-Key: K1\r\nIdempotency-Key: K1", "400"],
    ["raw UTF-8", "Idempotency-Key: é", "400"],
    ["an empty header", "Idempotency-Key:", "400"],
    ["a folded header", "Idempotency-Key: K1\r\n K2", "400"],
    ["NUL", "Idempotency-Key: K\u00001", "400"],
  ])("%s on the wire: 400", async (_, header, status) => {
    const before = runs;
    expect(await rawStatus(header)).toBe(status);
    expect(runs).toBe(before);
  });

  function rawStatus(header: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", reject);
      socket.on("data", (data) => {
        resolve(data.toString().split(" ")[1]);
        socket.destroy();
      });
      socket.write(`POST /v1/payments HTTP/1.1\r\nHost: a\r\n${header}\r\nContent-Length: 2\r\n\r\n{}`);
    });
  }
});
