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
export type Role = "request" | "recovery" | "settlement" | "cleanup" | "clock";

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

export const replayMark = "replay";
export const lost = "502 outcome_unknown";

/** The contract as a table of legal changes and right answers. It knows nothing of how the library works. */
export class ReferenceModel {
  rows = new Map<string, RowSeen>();
  readonly asked: Asked[] = [];
  readonly late = new Set<string>();
  readonly #entered = new Set<string>();
  readonly #bodyOf = new Map<string, number>();
  readonly #fingerprints = new Map<string, string>();

  ask(op: string, body: number, plan: Plan): Asked {
    const asked = {
      op,
      body,
      plan,
      claimId: null,
      result: null,
      settled: false,
      crashed: false,
      allowed: new Set<string>(),
    };
    this.asked.push(asked);
    return asked;
  }

  /** The handler was entered: only by the owner of a claim that is committed, and once. */
  enter(asked: Asked, claimId: string): void {
    assert.equal(asked.claimId, claimId, "the handler ran without a committed claim");
    assert.ok(!this.#entered.has(claimId), "the handler ran twice under one claim");
    this.#entered.add(claimId);
  }

  answered(asked: Asked, answer: string): void {
    assert.ok(asked.allowed.has(answer), `answered ${answer}; right were ${[...asked.allowed].join(" | ") || "none"}`);
  }

  /** Checks every change since the last look, and what each waiting request may now be told. */
  look(seen: Seen, role: Role, by: Asked | null): void {
    const now = new Map(seen.rows.map((row) => [row.id, row]));
    for (const [id, row] of this.rows) if (!now.has(id)) this.#gone(row, seen, role, by);
    const before = this.rows;
    for (const [id, row] of now) {
      const known = before.get(id);
      if (known) this.#changed(known, row, seen, role, by);
      else this.#claimed(row, seen, role, by);
    }
    this.rows = now;
    this.#effects(seen);
    for (const asked of this.asked) this.#allow(asked, seen.now);
  }

  /** The row that holds an operation, lapsed or not. */
  holder(op: string): RowSeen | undefined {
    return [...this.rows.values()].filter((row) => row.op === op).sort((a, b) => b.createdAt - a.createdAt)[0];
  }

  /**
   * After recovery and a provider that answered: what happened is stored, or known to be unconfirmed. A business row
   * that came after recovery looked for it is the one thing left to people, and its owner must have told of it.
   */
  concluded(seen: Seen): void {
    for (const row of seen.rows) {
      const effects = effectsOf(seen, row);
      assert.notEqual(row.state, "in_progress", "left in progress");
      if (row.state === "completed" || effects.length === 0) continue;
      const owner = this.asked.find(({ claimId }) => claimId === row.id);
      assert.equal(row.state, "failed", `it happened, and the row says ${row.state}`);
      assert.ok(row.op.includes("/separate") && (owner?.crashed || this.late.has(row.id)), "a result was lost");
    }
  }

  #claimed(row: RowSeen, seen: Seen, role: Role, by: Asked | null): void {
    assert.ok(role === "request" && by, `a row appeared by ${role}`);
    assert.equal(row.op, by.op);
    assert.equal(row.state, "in_progress");
    assert.equal(by.claimId, null, "one request claimed twice");
    const others = seen.rows.filter(({ op, id }) => op === row.op && id !== row.id);
    assert.ok(
      others.every((other) => lapsed(other, seen.now)),
      "claimed while another row holds the key",
    );
    by.claimId = row.id;
    this.#bodyOf.set(row.id, by.body);
    const shape = `${row.op} ${by.body}`;
    assert.equal(row.fingerprint, this.#fingerprints.get(shape) ?? row.fingerprint, "the fingerprint is not stable");
    this.#fingerprints.set(shape, row.fingerprint);
  }

  #gone(row: RowSeen, seen: Seen, role: Role, by: Asked | null): void {
    if (row.state === "completed") {
      assert.ok(lapsed(row, seen.now), "a stored answer was lost");
      assert.ok(role === "cleanup" || role === "request", `a lapsed row was removed by ${role}`);
      return;
    }
    assert.equal(row.state, "in_progress", `a row in state ${row.state} was removed`);
    assert.ok(role === "request" && by?.claimId === row.id, `a running claim was released by ${role}`);
    assert.deepEqual(effectsOf(seen, row), [], "released although it happened");
    by.settled = true;
    by.allowed.add(by.plan === "refuse" ? "403 refused" : "500 internal_error");
  }

  #changed(old: RowSeen, row: RowSeen, seen: Seen, role: Role, by: Asked | null): void {
    if (old.state === row.state) {
      assert.deepEqual(row, old, "a row changed within its state");
      return;
    }
    assert.equal(row.fingerprint, old.fingerprint, "a fingerprint was overwritten");
    assert.equal(row.lockedUntil, old.lockedUntil, "a lease was renewed");
    const owner = role === "request" && by?.claimId === row.id;
    const change = `${old.state} → ${row.state} by ${owner ? "its owner" : role}`;
    const rule = this.#rules[change];
    assert.ok(rule, `not legal: ${change}`);
    rule(row, seen, by);
    if (owner) by.settled = true;
    if (row.state === "completed") assert.ok(!lapsed(row, seen.now), "completed and lapsed at once");
  }

  readonly #rules: Record<string, (row: RowSeen, seen: Seen, by: Asked | null) => void> = {
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
      assert.deepEqual(effectsOf(seen, row), [], "failed although it happened");
      assert.ok(!seen.started.has(row.id), "failed although an effect was started");
    },
    "unknown → completed by settlement": (row, seen) => assertTold(row, effectsOf({ ...seen, business: [] }, row)),
  };

  #effects({ business, ledger }: Seen): void {
    for (const effects of [business, ledger]) {
      const claims = effects.map(({ claimId }) => claimId);
      assert.equal(new Set(claims).size, claims.length, "two effects under one claim");
      assert.ok(
        claims.every((id) => this.#entered.has(id)),
        "an effect without a run",
      );
    }
  }

  #allow(asked: Asked, now: number): void {
    const row = this.holder(asked.op);
    const own = asked.claimId === null ? undefined : this.rows.get(asked.claimId);
    if (asked.claimId && !asked.settled && own?.state !== "in_progress") asked.allowed.add(lost);
    if (row && !lapsed(row, now)) asked.allowed.add(this.#answer(row, asked));
  }

  #answer(row: RowSeen, asked: Asked): string {
    if (this.#bodyOf.get(row.id) !== asked.body) return "422 idempotency_key_reuse";
    if (row.state === "completed") return `${replayMark} ${row.status} ${row.body}`;
    return row.state === "in_progress" ? "409 request_in_progress" : "409 outcome_pending";
  }
}

function lapsed(row: RowSeen, now: number): boolean {
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
