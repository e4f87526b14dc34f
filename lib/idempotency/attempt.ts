import { v4 } from "uuid";
import type { Attempt } from "./context";
import { hashKey } from "./key-hash";

const visible = /^[\x21-\x7e]{1,200}$/;
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;
const noTrace = "0".repeat(32);
/** A shorter key could stand in an id by chance. */
const telltaleLength = 8;

/** What identifies this attempt, from `X-Request-Id` and `traceparent`; a missing request id is made. */
export function readAttempt(headers: Headers, key: string | null): Attempt {
  const given = headers.get("X-Request-Id") ?? "";
  const trace = traceparent.exec(headers.get("traceparent") ?? "")?.[1];
  return {
    requestId: visible.test(given) ? withoutKey(given, key) : v4(),
    traceId: trace && trace !== noTrace ? withoutKey(trace, key) : undefined,
  };
}

/** Clients do send their key as request id. Events must not carry it, so its hash stands there instead. */
function withoutKey(id: string, key: string | null): string {
  if (key === null || (id !== key && key.length < telltaleLength)) return id;
  return id.replaceAll(key, hashKey(key));
}
