import { change, type Endpoint } from "./endpoint";
import { event } from "./events";
import { sameFingerprint } from "./fingerprint/stored";
import { digests, eventBase, type Intake } from "./intake";
import type { Claim, KeyRow, Opening, Reading } from "./store/rows";

/** What the store says of a request. Only `won` may run the handler. */
export type Admission =
  | { kind: "won"; claim: Claim }
  | { kind: "limited"; retryAfterMs: number }
  | { kind: "unavailable" }
  | Standing;

/** How a held key stands to this request. */
export type Standing = {
  kind: "replayed" | "mismatch" | "conflict" | "pending" | "incomparable";
  row: KeyRow;
  at: string;
};

const pollMs = 50;
/** Each loss of a claim means another made progress; this many in a row means something is wrong. */
const mostTries = 5;

/**
 * Claims the key, or says how it is held. Where a claim needs a transaction for its event, or counts against a rate
 * limit, it is read first; a read decides nothing but an answer, only the insert lets a handler run.
 */
export async function admit(endpoint: Endpoint, intake: Intake): Promise<Admission> {
  const { options } = endpoint;
  const until = performance.now() + (options.waitMs ?? 0);
  let counted = false;
  for (let tries = 0; tries < mostTries; ) {
    const reading = await look(endpoint, intake);
    if (reading.kind === "won") return { kind: "won", claim: reading.claim };
    if (reading.kind === "inconsistent") return { kind: "unavailable" };
    if (reading.kind === "held") {
      const standing = standingOf(reading, intake);
      if (standing.kind !== "conflict" || performance.now() + pollMs > until) return standing;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      continue;
    }
    const retryAfterMs = counted ? 0 : await options.rateLimit?.take(intake.operation.tenant, options.endpoint);
    if (retryAfterMs) return { kind: "limited", retryAfterMs };
    counted = true;
    const claim = await claimKey(endpoint, intake);
    if (claim) return { kind: "won", claim };
    tries++;
  }
  return { kind: "unavailable" };
}

function look({ options, store, windows }: Endpoint, { operation, digest }: Intake): Promise<Opening> {
  if (options.sink || options.rateLimit) return store.read(options.db, operation);
  return store.claimOrRead(options.db, operation, digest, windows);
}

export function standingOf({ row, at }: Extract<Reading, { kind: "held" }>, intake: Intake): Standing {
  const same = sameFingerprint(row.fingerprint, digests(intake));
  if (same === null) return { kind: "incomparable", row, at };
  if (!same) return { kind: "mismatch", row, at };
  if (row.state === "completed") return { kind: "replayed", row, at };
  return { kind: row.state === "in_progress" ? "conflict" : "pending", row, at };
}

/** One short transaction that commits, with its events, before the handler starts. */
function claimKey(endpoint: Endpoint, intake: Intake): Promise<Claim | null> {
  const { options, store, windows } = endpoint;
  return change(options, async (tx) => {
    const won = await store.claim(tx, intake.operation, intake.digest, windows);
    if (!won || !options.sink) return won?.claim ?? null;
    const { claim, reused } = won;
    const base = { ...eventBase(endpoint, intake), ...intake.facts };
    const claimed = event(base, "claimed", claim.createdAt, { state: "in_progress" });
    const reuse = event(base, "expired_reuse", claim.createdAt);
    await options.sink.inTransaction(tx, reused ? [claimed, reuse] : [claimed]);
    return claim;
  });
}
