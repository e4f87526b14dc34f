import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserStore, memoryStore, type OperationStore, OutcomeUnknownError } from "@/lib/idempotency/client";
import { fileStore } from "@/lib/idempotency/client/file-store";
import { answer, breakOff, done, type Reply, type ScriptedService, startScripted } from "./scripted-service";

let service: ScriptedService;
beforeAll(async () => {
  service = await startScripted();
});
afterAll(() => service.close());

describe("the final answer", () => {
  test("after ambiguity it is outcome_unknown with every attempt, and the key stays", async () => {
    const store = memoryStore();
    service.play(breakOff, answer(429), answer(429));
    const failed = await service
      .client({ store, maxAttempts: 3 })
      .send(service.operation())
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(OutcomeUnknownError);
    expect(failed).toMatchObject({ code: "outcome_unknown", attempts: { length: 3 } });
    const kept = await store.load("order-1");
    service.play(done);
    expect(await service.client({ store }).resume("order-1")).toMatchObject({ outcome: "done", key: kept?.key });
    expect(await store.load("order-1")).toBeNull();
  });

  test("without ambiguity it is the last answer", async () => {
    service.play(answer(429));
    expect(await service.client({ maxAttempts: 2 }).send(service.operation())).toMatchObject({
      outcome: "not_accepted",
    });
  });

  test("a missing echo is reported", async () => {
    service.play((_, response) => response.writeHead(201).end());
    expect(await service.client().send(service.operation())).toMatchObject({
      outcome: "done",
      warnings: ["key_not_echoed"],
    });
    service.play((request, response) => {
      response.writeHead(201, { "Idempotency-Key": `"${request.headers["idempotency-key"]}"` }).end();
    });
    expect(await service.client().send(service.operation())).toMatchObject({ outcome: "done", warnings: [] });
  });

  test("an answer that breaks off in its body is no answer", async () => {
    const half: Reply = (_, response) => {
      response.writeHead(201, { "Content-Length": "100" });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    };
    service.play(half, done);
    expect(await service.client().send(service.operation())).toMatchObject({
      outcome: "done",
      attempts: { length: 2 },
    });
  });
});

describe("one key per operation", () => {
  test("a double click is one run", async () => {
    service.play(done);
    const shop = service.client();
    const [first, second] = await Promise.all([shop.send(service.operation()), shop.send(service.operation())]);
    expect(first.key).toBe(second.key);
    expect(service.seen).toHaveLength(1);
  });

  test("a definitive answer ends it: the next send is a new operation", async () => {
    service.play(done);
    const shop = service.client();
    const [first, second] = [await shop.send(service.operation()), await shop.send(service.operation())];
    expect(first.key).not.toBe(second.key);
  });

  test("other content under a pending name is refused", async () => {
    service.play(breakOff);
    const shop = service.client({ maxAttempts: 1 });
    await expect(shop.send(service.operation())).rejects.toThrow(OutcomeUnknownError);
    await expect(shop.send({ ...service.operation(), body: "{}" })).rejects.toThrow(TypeError);
  });

  describe.each<[string, (directory: string) => OperationStore]>([
    ["file", fileStore],
    ["browser", () => browserStore(storage)],
  ])("%s store", (_, open) => {
    let directory = "";
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "idempotency-"));
    });
    afterAll(() => rm(directory, { recursive: true }));

    test("the key is kept before the first send and survives a restart", async () => {
      let keptAtFirstSend: unknown;
      const inspect: Reply = async (request) => {
        keptAtFirstSend = (await open(directory).load("order-1"))?.key;
        request.socket.destroy();
      };
      service.play(inspect, breakOff);
      await expect(
        service.client({ store: open(directory), maxAttempts: 2 }).send(service.operation()),
      ).rejects.toThrow();
      expect(keptAtFirstSend).toBe(service.seen[0]?.key);
      const first = service.seen[0]?.key;
      service.play(done);
      const restarted = service.client({ store: open(directory) });
      expect(await restarted.pending()).toMatchObject([{ id: "order-1", key: first }]);
      expect(await restarted.send(service.operation())).toMatchObject({ outcome: "done", key: first });
      expect(await restarted.pending()).toEqual([]);
      expect(await restarted.resume("order-1")).toBeNull();
    });
  });
});

/** The Web Storage interface over a Map, as a browser gives it. */
const storage: Storage = (() => {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (name: string) => items.get(name) ?? null,
    key: (index: number) => [...items.keys()][index] ?? null,
    removeItem: (name: string) => void items.delete(name),
    setItem: (name: string, value: string) => void items.set(name, value),
  };
})();
