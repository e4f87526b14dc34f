import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A payment provider as a process of its own. It charges whenever it is asked, without looking at the key, so that every
 * second call stands in its ledger; a look-up lists the charges made under a key.
 */
const ledger: { key: string; reference: string }[] = [];

const server = createServer((request, response) => {
  const key = new URL(request.url ?? "/", "http://provider.test").searchParams.get("key") ?? "";
  if (request.method === "POST") ledger.push({ key, reference: randomUUID() });
  const charges = ledger.filter((charge) => charge.key === key);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(request.method === "POST" ? charges.at(-1) : charges));
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, clock: Date.now() });
});
process.once("disconnect", () => process.exit());
