import { connect } from "node:net";
import type { Malformed } from "./idempotency-malformed";

export interface Answer {
  status: number;
  type: string;
  body: unknown;
}

const answerWithinMs = 3_000;

/** Writes the bytes as they are, which no HTTP client would do, and reads the answer to its end; status 0 where none comes. */
export function sendRaw(port: number, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(answerWithinMs, () => socket.destroy());
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined); // a reset after the answer is seen by `close` as well
    socket.on("close", () => resolve(readAnswer(Buffer.concat(chunks).toString("latin1"))));
  });
}

export function onTheWire({ head, body, chunked }: Malformed): Buffer {
  const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
  const lines = [...head, "Host: api.test", "Connection: close", framing, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(lines, "latin1"), chunked ? inChunks(body) : body]);
}

function inChunks(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += 1_000) {
    const part = body.subarray(at, at + 1_000);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

function readAnswer(text: string): Answer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [, status = "0"] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
  const [, type = ""] = /^content-type: (.*)$/im.exec(head) ?? [];
  return { status: Number(status), type: type.trim(), body: parseProblem(rest.join("\r\n\r\n")) };
}

/** The one JSON object of a body, chunked or not. */
function parseProblem(text: string): unknown {
  const found = /\{[\s\S]*\}/.exec(text);
  return found ? JSON.parse(found[0]) : text;
}
