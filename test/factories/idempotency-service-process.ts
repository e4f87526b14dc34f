import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "pg";
import { createStore, type LayoutName, nodeListener, pgDatabase, recover } from "@/lib/idempotency";
import { Deaths, keyOf } from "./idempotency-deaths";
import { businessRecord } from "./idempotency-handlers";
import { endpoints } from "./idempotency-payments";

/** A payments service as a process of its own: `node:http`, the library, one endpoint per mode. */
const { DATABASE_URL = "", LAYOUT = "plain", PROVIDER_URL = "" } = process.env;
const layout: LayoutName = LAYOUT === "daily" ? "daily" : "plain";
const db = pgDatabase(new Pool({ connectionString: DATABASE_URL, max: 10 }));
const deaths = new Deaths();
const handlers = endpoints({ db, layout, providerUrl: PROVIDER_URL, deaths });

const listener = nodeListener(async (request) => {
  const handle = handlers.get(new URL(request.url).pathname);
  if (!handle) return new Response(null, { status: 404 });
  const key = keyOf(request);
  deaths.expect(key, request.headers.get("Die-At"));
  const response = await handle(request, { tenant: request.headers.get("Tenant") ?? "" });
  deaths.at("completed, not sent", key);
  return deaths.whileSending(response, key);
});

// A connection closed for idleness under a client's next request would look like a lost answer.
const server = createServer({ keepAliveTimeout: 600_000 }, listener);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, clock: Date.now() });
});

/** The one command: a recovery pass under this process's own clock. */
process.on("message", async () => {
  const mode = (endpoint: string) => (endpoint.endsWith("external") ? "external" : "separate");
  const profile = (endpoint: string) => ({ mode: mode(endpoint), businessRecord }) as const;
  process.send?.(await recover({ db, store: createStore(layout), profile }));
});
process.once("disconnect", () => process.exit());
