import { type EventSink, event, type IdempotencyEvent } from "../events";
import type { Database, Sql } from "../sql";
import type { Operation } from "../store/rows";
import type { Store } from "../store/store";

/** What every pass over open rows needs. */
export interface PassOptions {
  db: Database;
  store: Store;
  sink?: EventSink;
  /** The name of the process in events. */
  source?: string;
  /** Rows looked at in one pass, oldest lease first. */
  limit?: number;
  /** Told of a row that could not be resolved; the pass goes on, and the row is met again. */
  report?: (error: unknown) => void;
}

export const defaultLimit = 200;

export type Change = [kind: IdempotencyEvent["kind"], more?: Partial<IdempotencyEvent>];

/** Writes the events of a change just made, in its transaction. `at` is null when the change touched no row. */
export async function tell(
  { sink, source }: PassOptions,
  tx: Sql,
  operation: Operation,
  at: string | null,
  changes: Change[],
): Promise<void> {
  if (at === null) throw new Error("A row locked by recovery changed under its lock");
  const events = changes.map(([kind, more]) => event({ operation, source }, kind, at, more));
  await sink?.inTransaction(tx, events);
}
