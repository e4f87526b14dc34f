import { type Fragment, identifier, splicer } from "./fragments";

export interface TableNames {
  keys?: string;
  /** Daily layout only. */
  guard?: string;
  /** External mode only. */
  effect?: string;
}

export interface Tables {
  keys: Fragment;
  guard: Fragment;
  effect: Fragment;
  sql: ReturnType<typeof splicer>;
}

/** Names may carry a schema: `payments.idempotency_keys`. */
export function tables(names: TableNames = {}): Tables {
  return {
    keys: identifier(names.keys ?? "idempotency_keys"),
    guard: identifier(names.guard ?? "idempotency_guard"),
    effect: identifier(names.effect ?? "idempotency_effect"),
    sql: splicer(),
  };
}
