import type { EventSink, IdempotencyEvent } from "./events";
import type { Database, Sql } from "./sql";
import { identifier, splicer } from "./store/fragments";

export interface EmitSinkOptions {
  /** The SQL function that takes a JSON array of events. */
  function?: string;
  /** How long attempts wait for company before they are written. */
  flushMs?: number;
  /** Attempts kept while the database is away; older ones are dropped and counted. */
  capacity?: number;
  report?: (error: unknown, dropped: number) => void;
}

export interface EmitSink extends EventSink {
  /** Writes what is buffered; on failure it stays buffered and `report` is told. */
  flush(): Promise<void>;
  /** Flushes a last time and stops the timer. */
  close(): Promise<void>;
}

const batch = 500;

/** Writes events through a SQL function, such as `idemdesk.emit`, which may be all its role can reach. */
export function emitSink(db: Database, options: EmitSinkOptions = {}): EmitSink {
  const { flushMs = 200, capacity = 10_000, report } = options;
  const name = identifier(options.function ?? "idemdesk.emit");
  const sql = splicer();
  const buffer: IdempotencyEvent[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  // In FROM, because some drivers cannot read a column of type void.
  async function inTransaction(tx: Sql, events: IdempotencyEvent[]): Promise<void> {
    await sql(tx)`SELECT 1 AS emitted FROM ${name}(${toJson(events)}::jsonb)`;
  }

  function attempt(event: IdempotencyEvent): void {
    buffer.push(event);
    if (buffer.length > capacity) dropped += buffer.splice(0, buffer.length - capacity).length;
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), flushMs).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing.then(drain);
    return flushing;
  }

  async function drain(): Promise<void> {
    while (buffer.length > 0) {
      const events = buffer.splice(0, batch);
      try {
        await db.transaction((tx) => inTransaction(tx, events));
      } catch (error) {
        buffer.unshift(...events);
        report?.(error, dropped);
        return schedule();
      }
    }
  }

  async function close(): Promise<void> {
    await flush();
    clearTimeout(timer);
  }

  return { inTransaction, attempt, flush, close };
}

/** PostgreSQL's jsonb has no NUL character; it is written as U+FFFD. */
function toJson(events: IdempotencyEvent[]): string {
  return JSON.stringify(events, (_, value) => (typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value));
}
