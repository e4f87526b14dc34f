import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ClientOptions, type IdempotentClient, idempotentClient, memoryStore } from "@/lib/idempotency/client";

export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** A service that answers from a script, and a client whose waits are recorded instead of slept. */
export interface ScriptedService {
  /** One reply per attempt; the last one for ever. */
  play(...script: Reply[]): void;
  /** What arrived since the script was set. */
  seen: { key: string; requestId: string; trace: string; authorization: string | undefined }[];
  waits: number[];
  client(more?: Partial<ClientOptions>): IdempotentClient;
  operation(id?: string): { id: string; method: string; url: string; body: string };
  close(): void;
}

export async function startScripted(): Promise<ScriptedService> {
  let script: Reply[] = [];
  const seen: ScriptedService["seen"] = [];
  const waits: number[] = [];
  const server = createServer((request, response) => {
    const { headers } = request;
    seen.push({
      key: String(headers["idempotency-key"]),
      requestId: String(headers["x-request-id"]),
      trace: String(headers.traceparent),
      authorization: headers.authorization,
    });
    const reply = script.length > 1 ? script.shift() : script[0];
    request.resume().on("end", () => reply?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    seen,
    waits,
    play(...replies) {
      script = replies;
      seen.length = 0;
      waits.length = 0;
    },
    client: (more = {}) =>
      idempotentClient({
        store: memoryStore(),
        enforcesKeys: true,
        ttlMs: 86_400_000,
        attemptTimeoutMs: 2_000,
        random: () => 0,
        sleep: async (ms) => void waits.push(ms),
        ...more,
      }),
    operation: (id = "order-1") => ({
      id,
      method: "POST",
      url: `http://127.0.0.1:${port}/v1/payments`,
      body: '{"amount":4200}',
    }),
    close: () => server.close(),
  };
}

/** A problem answer that echoes the key. */
export function answer(status: number, code?: string, headers: Record<string, string> = {}): Reply {
  return (request, response) => {
    const echo = request.headers["idempotency-key"] ?? "";
    response.writeHead(status, { "Content-Type": "application/problem+json", "Idempotency-Key": echo, ...headers });
    response.end(JSON.stringify(code ? { code } : {}));
  };
}

export const breakOff: Reply = (request) => request.socket.destroy();
export const done = answer(201);
