import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { systemRandom } from "@/lib/sandbox/random";
import type { SandboxTenant } from "@/lib/sandbox/tenants";
import type { Shopper } from "@/lib/sandbox/traffic/shopper";
import { sendTraffic, type TrafficCounts } from "@/lib/sandbox/traffic/traffic";

const tenants: SandboxTenant[] = [
  { tenantId: "11111111-2222-4333-8444-555555555555", name: "Shop", apiKey: "sk", weight: 1, counter: 1 },
];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(respond: Respond, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

const answer: Respond = (_, response) => void response.end("{}");

function begin(port: number) {
  const stop = new AbortController();
  const counts: TrafficCounts = { clients: 0, as_planned: 0, otherwise: 0, unanswered: 0 };
  const done: Shopper[] = [];
  const errors: unknown[] = [];
  const ended = sendTraffic(
    {
      random: systemRandom(),
      tenants,
      address: `http://127.0.0.1:${port}`,
      perSecond: 60,
      signal: stop.signal,
      onDone: async (shopper) => void done.push(shopper),
      report: (error) => errors.push(error),
    },
    counts,
  );
  return { counts, done, errors, end: () => stop.abort(), ended };
}

async function until(holds: () => boolean, withinMs = 10_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error("It did not come to that");
    await sleep(20);
  }
}

test("clients send what they planned, with their credentials, and their truth is kept when all went as planned", async () => {
  const seen: (string | undefined)[] = [];
  const { port } = await listen((request, response) => {
    seen.push(request.headers.authorization);
    response.end("{}");
  });
  const traffic = begin(port);
  await until(() => traffic.done.length > 10);
  traffic.end();
  await traffic.ended;
  expect(new Set(seen)).toEqual(new Set(["Bearer sk"]));
  expect(traffic.done.every(({ kind }) => kind.openAtEndMs === undefined)).toBe(true);
  expect(traffic.errors).toEqual([]);
});

test("a service that is restarted is found again, and whoever met the gap is not called done", async () => {
  const first = await listen(answer);
  const traffic = begin(first.port);
  await until(() => traffic.counts.as_planned > 5);
  first.server.closeAllConnections();
  await new Promise((resolve) => first.server.close(resolve));
  await until(() => traffic.counts.unanswered > 0);
  const before = traffic.counts.as_planned;
  await listen(answer, first.port);
  await until(() => traffic.counts.as_planned > before + 5);
  traffic.end();
  await traffic.ended;
  expect(traffic.done.length).toBeLessThan(traffic.counts.clients);
});

test("a service that does not answer is not asked by ever more clients, and an end is an end", async () => {
  let open = 0;
  const { port } = await listen(() => void open++);
  const traffic = begin(port);
  await until(() => open >= 20);
  await sleep(1_500);
  expect(traffic.counts.clients).toBeLessThan(60);
  const asked = Date.now();
  traffic.end();
  await traffic.ended;
  expect(Date.now() - asked).toBeLessThan(1_000);
  expect(traffic.errors).toEqual([]);
});

test.each([
  ["in trouble", 500, '{"code":"internal_error"}', "otherwise"],
  ["unsure of what it did", 502, '{"code":"outcome_unknown"}', "otherwise"],
  ["refusing, as a client may plan it", 422, '{"code":"idempotency_key_reuse"}', "as_planned"],
] as const)("a service %s is told apart", async (_, status, body, outcome) => {
  const { port } = await listen((_, response) => void response.writeHead(status).end(body));
  const traffic = begin(port);
  await until(() => traffic.counts[outcome] > 2);
  traffic.end();
  await traffic.ended;
  if (outcome === "otherwise") expect(traffic.done.length).toBeLessThan(traffic.counts.clients);
  else expect(traffic.counts.otherwise).toBe(0);
});
