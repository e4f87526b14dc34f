import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createSubmit, getJson, Problem } from "@/lib/http/client";

/** The browser's fetch takes paths of its own page; here they are this server's. */
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let keys: (string | undefined)[];
beforeEach(async () => {
  keys = [];
  server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"] as string | undefined);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const plain = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => plain(`http://127.0.0.1:${port}${path}`, init));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
const problem = (response: ServerResponse, status: number, code: string, retryable: boolean) =>
  json(response, status, { title: code, status, code, retryable, detail: code, requestId: "r1" });

const Shape = z.object({ id: z.string() });

test("a problem is one whatever the status of the replay that carries it", async () => {
  const body = {
    title: "t",
    status: 200,
    code: "response_body_not_kept",
    retryable: false,
    detail: "d",
    requestId: "r",
  };
  answer = (_, response) =>
    response.writeHead(200, { "Content-Type": "application/problem+json" }).end(JSON.stringify(body));
  await expect(createSubmit()("POST", "/x", {}, Shape)).rejects.toMatchObject({ code: "response_body_not_kept" });
});

describe("a submit", () => {
  test("keeps its key while the outcome is open: lost answers, 5xx, 409; then takes a new one", async () => {
    const submit = createSubmit();
    const send = () => submit("POST", "/views", { name: "x" }, Shape);
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.destroy(),
      (response) => problem(response, 503, "database_unavailable", true),
      (response) => problem(response, 409, "request_in_progress", true),
      (response) => response.writeHead(502).end("<html>"),
      (response) => response.writeHead(500).end("<html>"),
      (response) => json(response, 201, { id: "1" }),
      (response) => json(response, 201, { id: "2" }),
    ];
    answer = (_, response) => answers.shift()?.(response);
    const codes = ["unreachable", "database_unavailable", "request_in_progress", "unexpected_answer"];
    for (const code of codes) await expect(send()).rejects.toMatchObject({ code, retryable: true });
    await expect(send()).rejects.toMatchObject({ code: "unexpected_answer", status: 500 });
    expect(await send()).toEqual({ id: "1" });
    expect(await send()).toEqual({ id: "2" });
    expect(new Set(keys.slice(0, 6)).size).toBe(1);
    expect(keys[6]).not.toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("takes a new key for other content, and after a refusal that is final", async () => {
    const submit = createSubmit();
    answer = (_, response) => problem(response, 503, "database_unavailable", true);
    await expect(submit("POST", "/views", { name: "a" }, Shape)).rejects.toThrow(Problem);
    await expect(submit("POST", "/views", { name: "b" }, Shape)).rejects.toThrow(Problem);
    answer = (_, response) => problem(response, 409, "conflict", false);
    await expect(submit("POST", "/views", { name: "b" }, Shape)).rejects.toThrow(Problem);
    await expect(submit("POST", "/views", { name: "b" }, Shape)).rejects.toThrow(Problem);
    const [a, b, again, final] = keys;
    expect([a !== b, b === again, again !== final]).toEqual([true, true, true]);
  });
});

describe("a read", () => {
  test("takes no key, and its answer's shape is checked", async () => {
    answer = (_, response) => json(response, 200, { id: 1 });
    await expect(getJson("/views", Shape)).rejects.toThrow(z.ZodError);
    expect(keys).toEqual([undefined]);
  });

  test("given up by the page is no problem of the desk", async () => {
    answer = () => undefined;
    const controller = new AbortController();
    const asked = getJson("/views", Shape, controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });
});
