import { LEASE_MS, TTL_MS } from "../endpoints";
import { courseOf } from "./course";
import { fromMs, type Micros } from "./micros";
import type { HistoryEvent, KeyRecord, OperationName } from "./records";
import type { HistoryRequest } from "./request";
import { emit, type Run, type Stage } from "./stage";
import { takeTurn } from "./turns";

/** Plays the contract for one key: the states, answers and events that the service would have left behind. */
export class HistoryOperation {
  /** Runs of the key, lapsed ones before the last. Empty when nothing ran, or the claim was released. */
  private readonly runs: Run[] = [];

  constructor(
    readonly name: OperationName,
    private readonly stage: Stage,
  ) {}

  /** Answers one attempt that arrived at `at`. */
  receive(request: HistoryRequest, at: Micros): void {
    this.advance(at);
    const run = this.runs.at(-1);
    if (request.fingerprint === null) this.refuse(request, at);
    else if (!run || isLapsed(run.row, at)) this.claim(request, request.fingerprint, at);
    else this.stand(run.row, request, request.fingerprint, at);
  }

  /** Lets everything happen that is due by `until`. */
  advance(until: Micros): void {
    for (let run = this.runs.at(-1); run; run = this.runs.at(-1)) {
      const turn = run.turns[0];
      const at = run.row.createdAt + fromMs(turn?.afterMs ?? 0);
      if (!turn || at > until) return;
      run.turns.shift();
      if (turn.step === "released") this.runs.pop();
      takeTurn(turn, run, at, this.stage);
    }
  }

  /** The rows that remain: a daily table keeps a lapsed run's row beside its successor's. */
  rows(): readonly KeyRecord[] {
    return this.runs.map(({ row }) => row);
  }

  private claim(request: HistoryRequest, fingerprint: Buffer, at: Micros): void {
    const reused = this.runs.length > 0;
    const row: KeyRecord = {
      ...this.name,
      fingerprint,
      state: "in_progress",
      answer: null,
      lockedUntil: at + fromMs(LEASE_MS),
      createdAt: at,
      expiresAt: at + fromMs(TTL_MS),
    };
    const turns = courseOf(request.fault, this.isRunnable(request), this.stage.random);
    this.runs.push({ row, owner: request, facts: { ...request.facts }, turns, charge: null });
    const told = { ...request.identity, ...request.facts };
    emit(this.stage, this.name, "claimed", at, { ...told, state: "in_progress" });
    if (reused) emit(this.stage, this.name, "expired_reuse", at, told);
  }

  private isRunnable({ payment, refund }: HistoryRequest): boolean {
    return payment !== null || this.stage.payments.get(refund?.order ?? "")?.status === "succeeded";
  }

  private refuse({ identity }: HistoryRequest, at: Micros): void {
    const errorCode = "request_not_canonicalizable";
    emit(this.stage, this.name, "rejected", at, { ...identity, responseStatus: 400, errorCode });
  }

  private stand({ fingerprint, state, answer }: KeyRecord, request: HistoryRequest, digest: Buffer, at: Micros): void {
    const tell = (kind: HistoryEvent["kind"], more: Partial<HistoryEvent>) => {
      const durationMs = this.stage.random.integer(2, 9);
      emit(this.stage, this.name, kind, at, { ...request.identity, ...request.facts, durationMs, ...more });
    };
    if (!fingerprint.equals(digest)) tell("mismatch", { responseStatus: 422 });
    else if (state === "completed") tell("replayed", { responseStatus: answer?.status, replayed: true });
    else if (state === "in_progress") tell("conflict", { responseStatus: 409, retryAfterMs: 1_000 });
    else tell("pending", { responseStatus: 409, retryAfterMs: 5_000 });
  }
}

/** Only a completed row lapses. */
function isLapsed({ state, expiresAt }: KeyRecord, at: Micros): boolean {
  return state === "completed" && expiresAt <= at;
}
