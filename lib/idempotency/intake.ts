import { readAttempt } from "./attempt";
import type { Attempt, Caller } from "./context";
import type { Endpoint } from "./endpoint";
import type { EventBase, Facts } from "./events";
import { currentVersion, fingerprint } from "./fingerprint/fingerprint";
import { NotCanonicalizable } from "./fingerprint/refusal";
import { keyRuleText, parseKeyHeader } from "./key-header";
import { parseBody, readBody } from "./request-body";
import type { ProblemCode, ProblemMore } from "./response/answers";
import { defaultRequestBytes } from "./response/limits";
import type { Operation } from "./store/rows";

/** A request that may touch the store: its key is valid and its body has a fingerprint. */
export interface Intake {
  operation: Operation;
  caller: Caller;
  attempt: Attempt;
  /** Its body has been read; see `withBody`. */
  request: Request;
  body: Buffer | null;
  json: unknown;
  digest: Buffer;
  facts: Facts;
  /** The key as the client spelled it, for the echo. */
  spelled: string;
  /** Reads how long the attempt has taken, in ms. */
  elapsed: () => number;
}

/** Refused before any row is touched. */
export interface Refusal {
  refused: ProblemCode;
  more: ProblemMore;
  attempt: Attempt;
  operation: Operation | null;
  spelled: string | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Checks everything that can be checked without the store. */
export async function takeIn(endpoint: Endpoint, request: Request, caller: Caller): Promise<Intake | Refusal> {
  const started = performance.now();
  const { options } = endpoint;
  const key = parseKeyHeader(request.headers, options);
  const attempt = readAttempt(request.headers, key.ok ? key.key : null);
  const operation = key.ok ? { tenant: caller.tenant, endpoint: options.endpoint, key: key.key } : null;
  const refuse = (refused: ProblemCode, more: ProblemMore = {}): Refusal => {
    return { refused, more, attempt, operation, spelled: key.ok ? key.spelled : null };
  };

  if (!uuid.test(caller.tenant)) return refuse("tenant_required");
  if (options.bindPrincipal && !caller.principal) return refuse("principal_required");
  if (!key.ok || !operation) return refuseKey(key.ok ? "missing" : key.rule, refuse);
  const body = await readBody(request, options.maxRequestBytes ?? defaultRequestBytes);
  if (body === "unreadable") return refuse("request_not_canonicalizable", { rule: body });
  if (body === "too_large") return refuse("request_too_large");
  const digest = digestOf(endpoint, request, caller, body);
  if (typeof digest === "string") return refuse("request_not_canonicalizable", { rule: digest });

  const json = parseBody(request, body);
  return {
    operation,
    caller,
    attempt,
    request,
    body,
    json,
    digest,
    facts: factsOf(endpoint, request, body, json),
    spelled: key.spelled,
    elapsed: () => Math.round(performance.now() - started),
  };
}

export function eventBase(endpoint: Endpoint, intake: Intake): EventBase {
  const { operation, attempt, digest } = intake;
  return { operation, fingerprint: digest, ...attempt, source: endpoint.options.source };
}

function refuseKey(rule: keyof typeof keyRuleText, refuse: (code: ProblemCode, more: ProblemMore) => Refusal): Refusal {
  const code = rule === "missing" ? "idempotency_key_missing" : "idempotency_key_invalid";
  return refuse(code, { rule, detail: keyRuleText[rule] });
}

function digestOf(endpoint: Endpoint, request: Request, caller: Caller, body: Buffer | null): Buffer | string {
  const url = new URL(request.url);
  try {
    return fingerprint(
      {
        method: request.method,
        path: url.pathname,
        query: url.search.slice(1),
        tenant: caller.tenant,
        principal: endpoint.options.bindPrincipal ? caller.principal : undefined,
        contentType: request.headers.get("Content-Type") ?? "",
        contentEncoding: request.headers.get("Content-Encoding") ?? "",
        body,
      },
      endpoint.bodyRules,
    );
  } catch (error) {
    if (error instanceof NotCanonicalizable) return error.rule;
    throw error;
  }
}

/** Versions this release can compute, for comparing with stored ones. */
export function digests(intake: Intake): Map<number, Uint8Array> {
  return new Map([[currentVersion, intake.digest]]);
}

/** A body of the wrong shape is the handler's to refuse: an extractor that trips over it only loses the facts. */
function factsOf(endpoint: Endpoint, request: Request, body: Buffer | null, json: unknown): Facts {
  try {
    return endpoint.options.describe?.({ headers: request.headers, url: new URL(request.url), body, json }) ?? {};
  } catch (error) {
    endpoint.options.report?.(error);
    return {};
  }
}
