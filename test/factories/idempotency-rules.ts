import assert from "node:assert/strict";

export type Plan = "succeed" | "decline" | "refuse" | "throw" | "ambiguous";

/** A key row as the database shows it; times in seconds since the epoch. */
export interface RowSeen {
  id: string;
  op: string;
  state: string;
  fingerprint: string;
  status: number | null;
  body: string | null;
  lockedUntil: number;
  createdAt: number;
  expiresAt: number;
}

/** Something that happened in the world under a claim: a business row, or a charge in the provider's ledger. */
export interface Effect {
  op: string;
  claimId: string;
  reference: string;
  status: number;
}

/** What can be seen after a step. */
export interface Seen {
  now: number;
  rows: RowSeen[];
  business: Effect[];
  ledger: Effect[];
  /** Claims that have a committed effect row. */
  started: Set<string>;
}

/** Who took the step that was just seen. */
export interface Author {
  role: "request" | "recovery" | "settlement" | "cleanup" | "clock";
  asked: Asked | null;
  /** The clock was moved between its last statement and the commit. */
  overtaken: boolean;
}

/** One request and every answer that was right at some moment while it ran. */
export interface Asked {
  op: string;
  body: number;
  plan: Plan;
  claimId: string | null;
  /** What its handler returned, as `status body`. */
  result: string | null;
  /** Its own row ended by its own hand. */
  settled: boolean;
  crashed: boolean;
  allowed: Set<string>;
}

export const lost = "502 outcome_unknown";

/** Every legal change of a row's state, with what must be true of it. */
export const legalChanges: Record<string, (row: RowSeen, seen: Seen, by: Asked | null) => void> = {
  "in_progress → completed by its owner": (row, _, by) => {
    assert.equal(`${row.status} ${row.body}`, by?.result, "not the handler's answer");
    by?.allowed.add(`${row.status} ${row.body}`);
  },
  "in_progress → unknown by its owner": (_, __, by) => {
    assert.ok(by?.plan === "ambiguous" || by?.plan === "throw", `marked unknown after ${by?.plan}`);
    by.allowed.add(lost);
  },
  "in_progress → completed by recovery": (row, seen) => {
    assert.ok(row.lockedUntil <= seen.now, "recovered while its lease lasted");
    assertTold(row, effectsOf({ ...seen, ledger: [] }, row));
  },
  "in_progress → unknown by recovery": (row, seen) => {
    assert.ok(row.lockedUntil <= seen.now, "recovered while its lease lasted");
    assert.ok(seen.started.has(row.id), "unknown although no effect was started");
  },
  "in_progress → failed by recovery": (row, seen) => {
    assert.ok(row.lockedUntil <= seen.now, "recovered while its lease lasted");
    // A separate business write is not fenced: it may commit between recovery's look-up and its mark.
    const business = row.op.includes("/separate") ? [] : seen.business;
    assert.deepEqual(effectsOf({ ...seen, business }, row), [], "failed although it happened");
    assert.ok(!seen.started.has(row.id), "failed although an effect was started");
  },
  "unknown → completed by settlement": (row, seen) => assertTold(row, effectsOf({ ...seen, business: [] }, row)),
};

export function lapsed(row: RowSeen, now: number): boolean {
  return row.state === "completed" && row.expiresAt <= now;
}

export function effectsOf({ business, ledger }: Pick<Seen, "business" | "ledger">, row: RowSeen): Effect[] {
  return [...ledger, ...business].filter(({ claimId }) => claimId === row.id);
}

function assertTold(row: RowSeen, effects: Effect[]): void {
  const told = effects.map(({ reference, status }) => `${status} ${JSON.stringify({ reference })}`);
  assert.ok(
    told.includes(`${row.status} ${row.body}`),
    `stored ${row.status} ${row.body}; happened: ${told.join() || "nothing"}`,
  );
}
