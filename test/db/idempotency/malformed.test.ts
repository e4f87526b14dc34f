import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, type IdempotentHandler, idempotent, type LayoutName } from "@/lib/idempotency";
import { endpoint, type Service, send, startService } from "./service";

interface Vector {
  name: string;
  contentType: string;
  contentEncoding?: string;
  body: string;
  refused?: string;
}

type Case = [name: string, request: () => Request, status: number, code: string];

const limit = 64 * 1024;
const valid = '{"amount":4200,"currency":"EUR","card":{"number":"4242"},"items":[1,2.5,-3e2,true,null]}';

function request(headers: [string, string][], body: BodyInit | null = valid, type = "application/json"): Request {
  return new Request("http://api.test/v1/payments", {
    method: "POST",
    headers: [["Content-Type", type], ...headers],
    body,
  });
}

const keyed = (body: BodyInit | null, type?: string, more: [string, string][] = []) =>
  request([["Idempotency-Key", generateKey()], ...more], body, type);

const keys: Case[] = [
  ...[
    "",
    " ",
    '""',
    '"open',
    '"',
    "a b",
    "a,b",
    "K1, K1",
    '"a";v=1',
    "a;v=1",
    '"a\\"b"',
    "a.b",
    "a:b",
    "a/b",
    "a+b",
    "a==",
  ],
  ...[
    "é",
    "ÿ",
    "a\tb",
    "a'--",
    "<a>",
    "a%20b",
    "{}",
    "()",
    ":YQ==:",
    "?1",
    "@1",
    "k".repeat(256),
    `"${"k".repeat(256)}"`,
  ],
  ...["k".repeat(7_000), '"a"b', "a\\b", "*", "#", "a|b", "a&b", "a@b", "~a", "a!", "$a", "[a]", "a^b", "`a`"],
].map((value) => [
  `key ${value.slice(0, 20)}`,
  () => request([["Idempotency-Key", value]]),
  400,
  "idempotency_key_invalid",
]);

const headers: Case[] = [
  ["no key", () => request([]), 400, "idempotency_key_missing"],
  ["only an alias that is not enabled", () => request([["X-Idempotency-Key", "K1"]]), 400, "idempotency_key_missing"],
  [
    "a key in the query",
    () => new Request("http://api.test/?idempotency_key=K1", { method: "POST" }),
    400,
    "idempotency_key_missing",
  ],
  [
    "sent twice",
    () =>
      request([
        ["Idempotency-Key", "A"],
        ["Idempotency-Key", "A"],
      ]),
    400,
    "idempotency_key_invalid",
  ],
];

const refused: Case[] = vectors()
  .filter((vector) => vector.refused)
  .map(({ name, contentType, contentEncoding, body }) => [
    `body ${name}`,
    () =>
      keyed(Buffer.from(body, "base64"), contentType, contentEncoding ? [["Content-Encoding", contentEncoding]] : []),
    400,
    "request_not_canonicalizable",
  ]);

const truncated: Case[] = Array.from({ length: valid.length - 1 }, (_, index) => [
  `body cut off after ${index + 1}`,
  () => keyed(valid.slice(0, index + 1)),
  400,
  "request_not_canonicalizable",
]);

const mangled: Case[] = Array.from({ length: 100 }, (_, index) => [
  `body with a stray byte at ${index % valid.length}, variant ${index}`,
  () => {
    const at = index % valid.length;
    // 0xC0 and above can begin no valid sequence here, and 0x01 is a control character: never valid JSON anywhere.
    const stray = index < valid.length ? 0xff : 0x01;
    return keyed(Buffer.concat([Buffer.from(valid.slice(0, at)), Buffer.from([stray]), Buffer.from(valid.slice(at))]));
  },
  400,
  "request_not_canonicalizable",
]);

const encodings: Case[] = ["gzip", "br", "deflate", "zstd", "compress", "gzip, br", "GZIP", "aws-chunked", "x"].map(
  (encoding) => [
    `encoding ${encoding}`,
    () => keyed(valid, "application/json", [["Content-Encoding", encoding]]),
    400,
    "request_not_canonicalizable",
  ],
);

const sizes: Case[] = ["application/json", "text/plain", "application/octet-stream", "multipart/form-data"].map(
  (type) => [`${type} over the limit`, () => keyed(Buffer.alloc(limit + 1, "1"), type), 413, "request_too_large"],
);

const streams: Case[] = [
  [
    "a body that breaks off",
    () => {
      const body = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
      const init = { method: "POST", headers: { "Idempotency-Key": generateKey() }, body, duplex: "half" };
      return new Request("http://api.test/", init as RequestInit);
    },
    400,
    "request_not_canonicalizable",
  ],
];

function vectors(): Vector[] {
  return JSON.parse(readFileSync("test/vectors/fingerprint.json", "utf8")).vectors;
}

const cases = [...keys, ...headers, ...refused, ...truncated, ...mangled, ...encodings, ...sizes, ...streams];

describe.each<LayoutName>(["plain", "daily"])("malformed requests, %s layout", (layout) => {
  let service: Service;
  let handle: IdempotentHandler;

  beforeAll(async () => {
    service = await startService(layout);
    const { db, sink } = service;
    const options = { db, sink, layout, endpoint, mode: "atomic", maxRequestBytes: limit } as const;
    handle = idempotent(options, () => expect.fail("reached the handler"));
  });
  afterAll(() => service.close());

  test(`${cases.length} requests each get their typed 4xx, and none leaves a row`, async () => {
    expect(cases.length).toBeGreaterThanOrEqual(300);
    for (const [name, make, status, code] of cases) {
      const answer = await send(handle, make(), service);
      expect({ name, status: answer.status, code: answer.code }).toEqual({ name, status, code });
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
      expect(answer.body).toMatchObject({ status, retryable: false });
    }
    const { rows } = await service.pool.query("SELECT count(*)::int AS rows FROM idempotency_keys");
    expect(rows).toEqual([{ rows: 0 }]);
  });

  test.each(["", "acme", "00000000", "7d1f6f0e-8f6c-4a51-9a6e-5f9b6d7a3c1g"])("tenant %j: refused", async (tenant) => {
    const response = await handle(keyed(valid), { tenant });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "tenant_required" });
  });
});
