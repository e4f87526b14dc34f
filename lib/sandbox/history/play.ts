import { hashKey } from "@/lib/idempotency";
import type { PlannedAttempt } from "../clients";
import { endpoints } from "../endpoints";
import type { Random } from "../random";
import { cleanedAt } from "./cleaning";
import { fromMs, type Micros } from "./micros";
import { HistoryOperation } from "./operation";
import type { OperationName, Records } from "./records";
import { readRequest } from "./request";
import { emit, type Stage } from "./stage";
import type { Story } from "./stories";

/** Plays a story through and adds what it left behind by `now` to the records. */
export function playStory(story: Story, random: Random, records: Records, now: Micros): void {
  const stage: Stage = { random, records, now, payments: new Map() };
  const operations = new Map<string, HistoryOperation>();
  for (const { attempt, at } of arrivals(story, random)) {
    for (const operation of operations.values()) operation.advance(at);
    const request = readRequest(story.tenant.tenantId, attempt);
    if (attempt.key === null) {
      const { requestId, traceId } = request.identity;
      const nobody = { tenantId: story.tenant.tenantId, endpoint: endpoints[attempt.resource].pattern, keyHash: null };
      const refused = { responseStatus: 400, errorCode: "idempotency_key_missing", requestId, traceId };
      emit(stage, nobody, "rejected", at, refused);
    } else {
      const name = nameOf(story, attempt, attempt.key);
      const operation = operations.get(attempt.key) ?? new HistoryOperation(name, stage);
      operations.set(attempt.key, operation);
      operation.receive(request, at);
    }
  }
  for (const operation of operations.values()) {
    operation.advance(now);
    conclude(story, operation, stage, now);
  }
}

/** The story's attempts in the order they arrive, each a fraction of a millisecond from where it was planned. */
function arrivals({ startedAt, attempts }: Story, random: Random): { attempt: PlannedAttempt; at: Micros }[] {
  return attempts
    .map((attempt) => ({ attempt, at: fromMs(startedAt + attempt.atMs) + random.integer(0, 999) }))
    .sort((a, b) => a.at - b.at);
}

function nameOf({ tenant }: Story, { resource }: PlannedAttempt, key: string): OperationName {
  return { tenantId: tenant.tenantId, endpoint: endpoints[resource].pattern, key, keyHash: hashKey(key) };
}

/** Writes the rows that remain, and the truth about them. */
function conclude({ kind }: Story, operation: HistoryOperation, stage: Stage, now: Micros): void {
  const { records } = stage;
  const { name } = operation;
  const rows = operation.rows();
  const last = rows.at(-1);
  const cleaned = last ? cleanedAt(kind, last, stage.random, now) : null;
  if (cleaned !== null) {
    emit(stage, name, "cleaned", cleaned, { source: "idemdesk" });
    records.kinds.push({ ...name, kind: kind.name, expected: { ...kind.expected, verdict: "cleaned" } });
    return;
  }
  records.kinds.push({ ...name, kind: kind.name, expected: kind.expected });
  records.keys.push(...rows);
  if (!last) return;
  const freeAt = last.state === "completed" ? last.expiresAt : null;
  records.guards.push({ ...name, keyCreatedAt: last.createdAt, freeAt });
}
