import assert from "node:assert/strict";

import {
  type Asked,
  type Author,
  effectsOf,
  lapsed,
  legalChanges,
  lost,
  type Plan,
  type RowSeen,
  type Seen,
} from "./idempotency-rules";

/** How often each change and answer was met, so that a proof can show that it met them all. */
export type Tally = Map<string, number>;

/** The contract as a table of legal changes and right answers. It knows nothing of how the library works. */
export class ReferenceModel {
  rows = new Map<string, RowSeen>();
  readonly asked: Asked[] = [];
  readonly late = new Set<string>();
  #now = 0;
  #business = new Set<string>();
  readonly #entered = new Set<string>();
  readonly #tally: Tally;
  readonly #claimedBefore = new Set<string>();
  readonly #bodyOf = new Map<string, number>();
  readonly #fingerprints = new Map<string, string>();

  constructor(tally: Tally = new Map()) {
    this.#tally = tally;
  }

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

  /** Recovery looked for a claim's business row and found none: there must have been none. */
  missed(claimId: string): void {
    assert.ok(!this.#business.has(claimId), "a business row was overlooked");
  }

  answered(asked: Asked, answer: string): void {
    assert.ok(asked.allowed.has(answer), `answered ${answer}; right were ${[...asked.allowed].join(" | ") || "none"}`);
    this.#count(`answer ${answer.replace(/{.*/, "{}")}`);
  }

  /** Checks every change since the last look, and what each waiting request may now be told. */
  look(seen: Seen, by: Author): void {
    const now = new Map(seen.rows.map((row) => [row.id, row]));
    for (const [id, row] of this.rows) if (!now.has(id)) this.#gone(row, seen, by);
    const before = this.rows;
    for (const [id, row] of now) {
      const known = before.get(id);
      if (known) this.#changed(known, row, seen, by);
      else this.#claimed(row, seen, by);
    }
    this.rows = now;
    this.#effects(seen);
    this.#business = new Set(seen.business.map(({ claimId }) => claimId));
    this.#now = seen.now;
    this.standStill();
  }

  /** A step that changed nothing may have read what is there, and be answered from it later. */
  standStill(): void {
    for (const asked of this.asked) this.#allow(asked, this.#now);
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

  #claimed(row: RowSeen, seen: Seen, { role, asked: by }: Author): void {
    assert.ok(by, `a row appeared by ${role}`);
    assert.equal(row.op, by.op);
    assert.equal(row.state, "in_progress");
    assert.equal(by.claimId, null, "one request claimed twice");
    const others = seen.rows.filter(({ op, id }) => op === row.op && id !== row.id);
    assert.ok(
      others.every((other) => lapsed(other, seen.now)),
      "claimed while another row holds the key",
    );
    by.claimId = row.id;
    this.#count(this.#claimedBefore.has(row.op) ? "claimed again" : "claimed");
    this.#claimedBefore.add(row.op);
    this.#bodyOf.set(row.id, by.body);
    const shape = `${row.op} ${by.body}`;
    assert.equal(row.fingerprint, this.#fingerprints.get(shape) ?? row.fingerprint, "the fingerprint is not stable");
    this.#fingerprints.set(shape, row.fingerprint);
  }

  #gone(row: RowSeen, seen: Seen, { role, asked: by }: Author): void {
    if (row.state === "completed") {
      assert.ok(lapsed(row, seen.now), "a stored answer was lost");
      assert.ok(role === "cleanup" || role === "request", `a lapsed row was removed by ${role}`);
      this.#count(`lapsed and removed by ${role}`);
      return;
    }
    assert.equal(row.state, "in_progress", `a row in state ${row.state} was removed`);
    assert.ok(by?.claimId === row.id, `a running claim was released by ${role}`);
    assert.deepEqual(effectsOf(seen, row), [], "released although it happened");
    by.settled = true;
    this.#count("released");
    by.allowed.add(by.plan === "refuse" ? "403 refused" : "500 internal_error");
  }

  #changed(old: RowSeen, row: RowSeen, seen: Seen, { role, asked: by, overtaken }: Author): void {
    if (old.state === row.state) {
      assert.deepEqual(row, old, "a row changed within its state");
      return;
    }
    assert.equal(row.fingerprint, old.fingerprint, "a fingerprint was overwritten");
    assert.equal(row.lockedUntil, old.lockedUntil, "a lease was renewed");
    const owner = by?.claimId === row.id;
    const change = `${old.state} → ${row.state} by ${owner ? "its owner" : role}`;
    const rule = legalChanges[change];
    assert.ok(rule, `not legal: ${change}`);
    rule(row, seen, by);
    this.#count(change);
    if (owner) by.settled = true;
    if (!overtaken) assert.ok(!lapsed(row, seen.now), "completed and lapsed at once");
  }

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
    if (asked.settled) return;
    const row = this.holder(asked.op);
    const own = asked.claimId === null ? undefined : this.rows.get(asked.claimId);
    if (asked.claimId && own?.state !== "in_progress") asked.allowed.add(lost);
    // Who had a claim is told how that run ended, never about a later one under the same key.
    const speaks = row && (asked.claimId === null || asked.claimId === row.id);
    if (speaks && !lapsed(row, now)) asked.allowed.add(this.#answer(row, asked));
  }

  #count(what: string): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + 1);
  }

  #answer(row: RowSeen, asked: Asked): string {
    if (this.#bodyOf.get(row.id) !== asked.body) return "422 idempotency_key_reuse";
    if (row.state === "completed") return `replay ${row.status} ${row.body}`;
    return row.state === "in_progress" ? "409 request_in_progress" : "409 outcome_pending";
  }
}
