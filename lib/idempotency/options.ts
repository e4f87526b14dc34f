import type { EventSink, Facts } from "./events";
import { parsePointers } from "./fingerprint/pointer";
import type { KeyRateLimit } from "./rate-limit";
import { checkKeptHeaders } from "./response/headers";
import { maxBodyBytes } from "./response/limits";
import type { KeepRules } from "./response/pack";
import type { Render } from "./response/replay";
import type { Database, Sql } from "./sql";
import type { LayoutName } from "./store/create";
import type { Claim, StoredResponse } from "./store/rows";
import type { TableNames } from "./store/tables";

/** How an endpoint's effect and its key row come to agree. */
export type Mode = "atomic" | "separate" | "external";

/** How long, in ms, a request may still come back under its key. The record must outlive the longest. */
export interface DeclaredWindows {
  clientRetries?: number;
  queueRedelivery?: number;
  providerTimeout?: number;
  supportReplays?: number;
}

/** A request as extractors see it: its body has been read, and parsed if it is JSON. */
export interface ReadRequest {
  headers: Headers;
  url: URL;
  body: Buffer | null;
  json: unknown;
}

/** What a late finisher had in hand when its claim no longer held: evidence for the case, never an answer. */
export interface LateResult {
  claim: Claim;
  response: StoredResponse;
}

/** What becomes of a response the handler returned. */
export type Memory = "store" | "release" | "unknown";

export interface IdempotentOptions<M extends Mode = Mode, Tx extends Sql = Sql> {
  db: Database<Tx>;
  layout: LayoutName;
  tables?: TableNames;
  /** Method and route template, such as `POST /v1/payments`. */
  endpoint: string;
  mode: M;
  /** How long the claim's owner is presumed alive, in ms. Never renewed: set it above the slowest honest run. */
  leaseMs?: number;
  /** The deduplication window of a completed key, in ms. */
  ttlMs?: number;
  windows?: DeclaredWindows;
  /** A second header name, accepted during a migration. */
  alias?: string;
  /** Puts the principal into the fingerprint: another principal's use of the key is then refused, never replayed. */
  bindPrincipal?: boolean;
  /** JSON Pointers to fields that change on an honest retry. */
  volatile?: readonly string[];
  /** Fingerprint the bytes of every body as they came. */
  rawBody?: boolean;
  maxRequestBytes?: number;
  keep?: KeepRules;
  render?: Render;
  /** How long a duplicate may wait for the first run, in ms, at most 1,000. */
  waitMs?: number;
  /** Seconds until a pending outcome is worth asking for again. */
  pendingRetryAfter?: number;
  rateLimit?: KeyRateLimit;
  /** Amount, references and so on, taken from the request before the claim, so that its event carries them. */
  describe?: (request: ReadRequest) => Facts;
  /** Errors the handler throws only before anything has happened. */
  releases?: (error: unknown) => boolean;
  /** Overrides which returned responses are remembered; see `remember.ts`. */
  remember?: (response: Response, effectStarted: boolean) => Memory;
  /** The response to an error that released the claim. */
  toResponse?: (error: unknown) => Response;
  sink?: EventSink;
  /** The service's name in events. */
  source?: string;
  /** Told of errors that became an answer. */
  report?: (error: unknown) => void;
  /** Told of a result that came after its claim was lost. */
  onLateResult?: (late: LateResult) => void | Promise<void>;
}

const hour = 3_600_000;
export const defaultTtlMs = 24 * hour;
export const defaultLeaseMs = 60_000;
const longestWaitMs = 1_000;

/** Start-up refusals: throws RangeError for settings under which the guarantees would not hold. */
export function checkOptions(options: Omit<IdempotentOptions, "db" | "describe">): void {
  const { leaseMs = defaultLeaseMs, ttlMs = defaultTtlMs, waitMs = 0, windows = {}, keep = {} } = options;
  if (!/^[A-Z]+ \/\S*$/.test(options.endpoint)) throw new RangeError("endpoint must be a method and a route template");
  if (!(leaseMs >= 1 && Number.isFinite(leaseMs))) throw new RangeError("leaseMs must be at least 1 ms");
  if (!(ttlMs > leaseMs && Number.isFinite(ttlMs))) throw new RangeError("ttlMs must be longer than the lease");
  if (!(waitMs >= 0 && waitMs <= longestWaitMs)) throw new RangeError(`waitMs must be 0 to ${longestWaitMs}`);
  const longest = Math.max(0, ...Object.values(windows));
  if (!(ttlMs > longest)) throw new RangeError(`ttlMs must be longer than the longest declared window (${longest} ms)`);
  if ((keep.maxBytes ?? 0) > maxBodyBytes) throw new RangeError(`keep.maxBytes must be at most ${maxBodyBytes}`);
  checkKeptHeaders(keep.headers ?? []);
  parsePointers(options.volatile ?? []);
}
