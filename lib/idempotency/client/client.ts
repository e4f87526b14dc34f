import { generateKey, type KeyFormat } from "../key-generate";
import { type AttemptRecord, attempt, problemCode, type Wire } from "./attempt";
import { pacer } from "./pacer";
import { decide, isAmbiguous } from "./policy";
import type { OperationStore, PendingOperation } from "./store";

export interface ClientOptions {
  store: OperationStore;
  /** True where the endpoint is declared to enforce keys; without it nothing ambiguous is sent again. */
  enforcesKeys: boolean;
  /** The endpoint's declared deduplication window, in ms: the client stops by half of it. */
  ttlMs: number;
  keyFormat?: KeyFormat;
  maxAttempts?: number;
  /** Bounds one call of `send`, waits included. */
  maxTotalMs?: number;
  attemptTimeoutMs?: number;
  /** The first wait is up to `baseDelayMs`, doubling up to `maxDelayMs`, each drawn anew (full jitter). */
  baseDelayMs?: number;
  maxDelayMs?: number;
  /** Headers of every attempt, such as credentials. Asked again, with `refresh`, after a 401 or 403. */
  headers?: (refresh: boolean) => Promise<HeadersInit> | HeadersInit;
  /** How this API spells the contract's problem codes. */
  readCode?: (status: number, body: unknown) => string | null;
  fetch?: typeof fetch;
  now?: () => number;
  sleep?: (ms: number) => Promise<void>;
  /** In [0, 1). */
  random?: () => number;
}

export interface OperationRequest {
  /** The caller's own name for the operation: the same name is the same operation, across restarts. */
  id: string;
  method: string;
  url: string;
  body: string | null;
  contentType?: string;
}

export interface OperationResult {
  outcome: "done" | "refused" | "key_reuse" | "fix_request" | "credentials_refused" | "not_accepted";
  response: Response;
  key: string;
  attempts: AttemptRecord[];
  /** `key_not_echoed`: something between client and service strips the header. */
  warnings: "key_not_echoed"[];
}

/** It may have happened. The key stays stored: resume the operation, never start it under a new key. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
  readonly code = "outcome_unknown";

  constructor(
    readonly operation: PendingOperation,
    readonly attempts: AttemptRecord[],
    readonly reason: "attempts_used_up" | "time_used_up" | "past_half_ttl" | "keys_not_enforced",
  ) {
    super(`Operation ${operation.id} is not confirmed after ${attempts.length} attempts (${reason})`);
  }
}

export interface IdempotentClient {
  /** Sends an operation until its definitive answer. Calls with one id share one run. */
  send(request: OperationRequest): Promise<OperationResult>;
  /** Takes up an operation kept from before, under its key. Null when none is kept by that name. */
  resume(id: string): Promise<OperationResult | null>;
  pending(): Promise<PendingOperation[]>;
}

export function idempotentClient(options: ClientOptions): IdempotentClient {
  const running = new Map<string, Promise<OperationResult>>();

  function once(id: string, run: () => Promise<OperationResult>): Promise<OperationResult> {
    const known = running.get(id) ?? run().finally(() => running.delete(id));
    running.set(id, known);
    return known;
  }

  return {
    send: (request) => once(request.id, async () => pursue(options, await keep(options, request))),
    async resume(id) {
      const operation = await options.store.load(id);
      return operation && once(id, () => pursue(options, { operation, sentBefore: true }));
    },
    pending: () => options.store.list(),
  };
}

/** A kept operation, and whether an earlier run may have sent it already. */
interface Kept {
  operation: PendingOperation;
  sentBefore: boolean;
}

/** The key is made and kept before the first send; an operation already kept goes on under its own key. */
async function keep(options: ClientOptions, request: OperationRequest): Promise<Kept> {
  const { id, method, url, body, contentType = "application/json" } = request;
  const kept = await options.store.load(id);
  if (kept) {
    const same = kept.method === method && kept.url === url && kept.body === body && kept.contentType === contentType;
    if (!same) throw new TypeError(`Operation ${id} is pending with another request; settle that one first`);
    return { operation: kept, sentBefore: true };
  }
  const startedAt = (options.now ?? Date.now)();
  const operation = { id, key: generateKey(options.keyFormat), method, url, body, contentType, startedAt };
  await options.store.save(operation);
  return { operation, sentBefore: false };
}

async function pursue(options: ClientOptions, { operation, sentBefore }: Kept): Promise<OperationResult> {
  const { enforcesKeys, maxAttempts = 8, store } = options;
  const pace = pacer(options, operation);
  const attempts: AttemptRecord[] = [];
  let refresh = false;
  for (;;) {
    if (pace.pastHalfTtl()) throw new OutcomeUnknownError(operation, attempts, "past_half_ttl");
    const { record, response } = await attempt(operation, attempts.length + 1, await wireOf(options, refresh));
    attempts.push(record);
    const decision = decide(record.answer, enforcesKeys);
    const result = response && { response, key: operation.key, attempts, warnings: warningsOf(record) };
    if (!result && decision !== "retry") throw new OutcomeUnknownError(operation, attempts, "keys_not_enforced");
    if (result && decision !== "retry" && decision !== "refresh") {
      if (decision !== "fix_request") await store.remove(operation.id);
      return { outcome: decision, ...result };
    }
    if (result && decision === "refresh" && (refresh || !options.headers)) {
      return { outcome: "credentials_refused", ...result };
    }
    refresh = decision === "refresh";
    const stop = attempts.length >= maxAttempts ? "attempts_used_up" : await pace.wait(record, refresh);
    if (!stop) continue;
    const ambiguous = sentBefore || attempts.some(({ answer }) => isAmbiguous(answer));
    if (result && !ambiguous) return { outcome: "not_accepted", ...result };
    throw new OutcomeUnknownError(operation, attempts, stop);
  }
}

async function wireOf(options: ClientOptions, refresh: boolean): Promise<Wire> {
  return {
    fetch: options.fetch ?? fetch,
    now: options.now ?? Date.now,
    timeoutMs: options.attemptTimeoutMs ?? 30_000,
    headers: (await options.headers?.(refresh)) ?? {},
    readCode: options.readCode ?? problemCode,
  };
}

function warningsOf({ keyEchoed }: AttemptRecord): "key_not_echoed"[] {
  return keyEchoed === false ? ["key_not_echoed"] : [];
}
