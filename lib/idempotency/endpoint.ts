import type { BodyRules } from "./fingerprint/body";
import { parsePointers } from "./fingerprint/pointer";
import { checkOptions, defaultLeaseMs, defaultTtlMs, type IdempotentOptions, type Mode } from "./options";
import type { Sql } from "./sql";
import { createStore } from "./store/create";
import type { Windows } from "./store/rows";
import type { Store } from "./store/store";

/** An endpoint's options, checked once at start-up, with what is made from them. */
export interface Endpoint<M extends Mode = Mode, Tx extends Sql = Sql> {
  options: IdempotentOptions<M, Tx>;
  store: Store;
  windows: Windows;
  bodyRules: BodyRules;
}

/** Makes a change together with its event. Without a sink its one statement needs no transaction around it. */
export function change<T>({ db, sink }: Endpoint["options"], run: (sql: Sql) => Promise<T>): Promise<T> {
  return sink ? db.transaction(run) : run(db);
}

export function compileEndpoint<M extends Mode, Tx extends Sql>(options: IdempotentOptions<M, Tx>): Endpoint<M, Tx> {
  checkOptions(options);
  return {
    options,
    store: createStore(options.layout, options.tables),
    windows: { leaseMs: options.leaseMs ?? defaultLeaseMs, ttlMs: options.ttlMs ?? defaultTtlMs },
    bodyRules: { volatile: parsePointers(options.volatile ?? []), raw: options.rawBody ?? false },
  };
}
