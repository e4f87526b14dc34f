import { readFileSync } from "node:fs";
import { generateKey } from "@/lib/idempotency";

/** One request as bytes on the wire, and the typed refusal it must get. */
export interface Malformed {
  name: string;
  /** Request line and header lines, without Host. Latin-1: one byte per character. */
  head: string[];
  body: Buffer;
  /** Told by Content-Length, or sent in chunks. */
  chunked?: boolean;
  status: number;
  code: string;
}

export const requestLimit = 64 * 1024;
const json = Buffer.from('{"amount":4200,"currency":"EUR"}');
const line = "POST /v1/payments HTTP/1.1";

const badKeys: [rule: string, values: string[]][] = [
  ["empty", ["", " ", "   ", '""', '" "', "\t"]],
  ["repeated", ["a,b", "a, a", ",", ",a", "a,", '"a","b"', '"a", "a"', "a,,b", '"a,b"']],
  [
    "too long",
    ["k".repeat(256), `"${"k".repeat(256)}"`, "k".repeat(1_000), "k".repeat(7_000), `"${"k".repeat(7_000)}"`],
  ],
  ["unterminated", ['"', '"abc', '"abc\\"', '"abc\\', '"a b']],
  ["parameters", ['"abc";v=1', '"abc"; v=1', '"abc";a', "abc;v=1", "abc; a", '"abc";v="x"', "abc;*a"]],
  ["structured", ["?1", "1.5", ":YWJj:", '("a")', '("a" "b")', "@1659578233", '%"caf%c3%a9"', "a=1", "*abc"]],
  ["trailing", ['"abc"x', '"abc" "def"', '"a"b"c"', "abc def", 'abc"', "'abc'", '"abc" ;', "abc\tdef"]],
  ["text", ["é", "\xe9", "ключ", "键", "🔑", "a\u200bb", "a\u202eb", "ａ", "\u212a", "null…"]],
];

/** Every visible ASCII character that a key may not hold, bare and quoted. */
const badCharacters = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => !/[A-Za-z0-9_-]/.test(character),
);

function keyCases(): Malformed[] {
  const values = badKeys.flatMap(([rule, list]) =>
    list.map((value) => [`${rule} ${value.slice(0, 24)}`, value] as const),
  );
  const bare = badCharacters.map((character) => [`bare ${character}`, `ab${character}cd`] as const);
  const quoted = badCharacters.map((character) => [`quoted ${character}`, `"ab${character}cd"`] as const);
  return [...values, ...bare, ...quoted].map(([name, value]) => ({
    name: `key ${name}`,
    head: [line, "Content-Type: application/json", `Idempotency-Key: ${utf8(value)}`],
    body: json,
    status: 400,
    code: "idempotency_key_invalid",
  }));
}

/** Header values go out as the UTF-8 bytes a careless client would write. */
function utf8(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

const badHeads: [name: string, code: string, headers: string[]][] = [
  ["no key", "idempotency_key_missing", []],
  ["only an alias that is not enabled", "idempotency_key_missing", ["X-Idempotency-Key: abc"]],
  ["a name that is nearly right", "idempotency_key_missing", ["Idempotency_Key: abc"]],
  ["a name in the plural", "idempotency_key_missing", ["Idempotency-Keys: abc"]],
  ["only a request id", "idempotency_key_missing", ["X-Request-Id: abc"]],
  ["sent twice, the same", "idempotency_key_invalid", ["Idempotency-Key: a", "Idempotency-Key: a"]],
  ["sent twice, one quoted", "idempotency_key_invalid", ["Idempotency-Key: a", 'idempotency-key: "a"']],
  ["sent twice, one empty", "idempotency_key_invalid", ["Idempotency-Key: a", "Idempotency-Key:"]],
  ["sent twice, both empty", "idempotency_key_invalid", ["Idempotency-Key:", "Idempotency-Key:"]],
  ["sent five times", "idempotency_key_invalid", Array.from({ length: 5 }, (_, index) => `Idempotency-Key: a${index}`)],
  ["a good alias beside a bad key", "idempotency_key_invalid", ["Idempotency-Key: a b", "X-Idempotency-Key: abc"]],
];

function headCases(): Malformed[] {
  const targets = ["/v1/payments", "/v1/payments?idempotency_key=abc", "/v1/payments?Idempotency-Key=abc#x"];
  return badHeads.flatMap(([name, code, headers]) =>
    targets.map((target) => ({
      name: `${name}, ${target}`,
      head: [`POST ${target} HTTP/1.1`, "Content-Type: application/json", ...headers],
      body: json,
      status: 400,
      code,
    })),
  );
}

/** A well-formed body, cut off at every byte and with a stray byte in every place. */
const nested = '{"a":[1,-2.5e3,{"b":"\\u00e9\\n"}],"c":null,"d":true}';

function bodyCases(): Malformed[] {
  const cut = Array.from({ length: nested.length - 1 }, (_, index) => Buffer.from(nested.slice(0, index + 1)));
  const stray = Array.from({ length: nested.length + 1 }, (_, at) =>
    Buffer.concat([
      Buffer.from(nested.slice(0, at)),
      Buffer.from([at % 2 ? 0xff : 0x01]),
      Buffer.from(nested.slice(at)),
    ]),
  );
  const types = ["application/json", "application/vnd.api+json", "APPLICATION/JSON; charset=utf-8"];
  return [...cut, ...stray].map((body, index) => ({
    name: `body ${index < cut.length ? "cut off" : "with a stray byte"} ${index}`,
    head: keyed(`Content-Type: ${types[index % types.length]}`),
    body,
    chunked: index % 4 === 0,
    status: 400,
    code: "request_not_canonicalizable",
  }));
}

function keyed(...headers: string[]): string[] {
  return [line, `Idempotency-Key: ${generateKey()}`, ...headers];
}

interface Vector {
  name: string;
  contentType: string;
  contentEncoding?: string;
  body: string;
  refused?: string;
}

/** Every refusal of the published vectors, as it comes over the wire. */
function vectorCases(): Malformed[] {
  const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync("test/vectors/fingerprint.json", "utf8"));
  return vectors
    .filter(({ refused }) => refused)
    .map(({ name, contentType, contentEncoding, body }) => ({
      name: `vector ${name}`,
      head: keyed(`Content-Type: ${contentType}`, ...(contentEncoding ? [`Content-Encoding: ${contentEncoding}`] : [])),
      body: Buffer.from(body, "base64"),
      status: 400,
      code: "request_not_canonicalizable",
    }));
}

function encodingCases(): Malformed[] {
  const encodings = [
    "gzip",
    "GZIP",
    "br",
    "deflate",
    "zstd",
    "compress",
    "gzip, br",
    "identity, gzip",
    "x",
    "aws-chunked",
  ];
  return encodings.map((encoding) => ({
    name: `encoding ${encoding}`,
    head: keyed("Content-Type: application/json", `Content-Encoding: ${encoding}`),
    body: json,
    status: 400,
    code: "request_not_canonicalizable",
  }));
}

function sizeCases(): Malformed[] {
  const types = ["application/json", "text/plain", "application/octet-stream", "multipart/form-data; boundary=b"];
  const sizes = [requestLimit + 1, 2 * requestLimit, 16 * requestLimit];
  return types.flatMap((type) =>
    sizes.flatMap((size) =>
      [false, true].map((chunked) => ({
        name: `${size} bytes of ${type}, ${chunked ? "chunked" : "declared"}`,
        head: keyed(`Content-Type: ${type}`),
        body: Buffer.alloc(size, "1"),
        chunked,
        status: 413,
        code: "request_too_large",
      })),
    ),
  );
}

/** Requests that parse as HTTP but cannot be a web Request, and so never have a fingerprint. */
function targetCases(): Malformed[] {
  const lines = [
    "POST // HTTP/1.1",
    "POST http://[ HTTP/1.1",
    "POST http://user:secret@api.test/v1/payments HTTP/1.1",
    "POST http://api.test:99999/ HTTP/1.1",
    "TRACE /v1/payments HTTP/1.1",
  ];
  return lines.map((first) => ({
    name: `request line ${first}`,
    head: [first, `Idempotency-Key: ${generateKey()}`, "Content-Type: application/json"],
    body: json,
    status: 400,
    code: "request_malformed",
  }));
}

export function malformedRequests(): Malformed[] {
  return [
    ...keyCases(),
    ...headCases(),
    ...bodyCases(),
    ...vectorCases(),
    ...encodingCases(),
    ...sizeCases(),
    ...targetCases(),
  ];
}
