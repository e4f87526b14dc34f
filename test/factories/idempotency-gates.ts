import type { Pool } from "pg";
import { type Database, pgDatabase, type Sql } from "@/lib/idempotency";

/** Where an actor stands: at a gate, on its way to the next one, or at its end. */
type Standing = "parked" | "running" | "ended";

/** What a crashed actor meets inside a transaction. */
export class Crash extends Error {}

/**
 * Something that runs against the database and stops at a gate before every statement, before and after every commit,
 * and where its handler says. It goes on only when it is stepped, and never again once it has crashed.
 */
export class Actor {
  standing: Standing = "running";
  crashed = false;
  /** The gate it stands at, for messages. */
  at = "start";
  #inTransaction = false;
  #open: () => void = () => undefined;
  #refuse: (crash: Crash) => void = () => undefined;

  constructor(
    readonly name: string,
    readonly schedule: Schedule,
  ) {}

  start(run: (actor: Actor) => Promise<unknown>): void {
    const end = () => this.#stand("ended");
    void this.gate("start")
      .then(() => run(this))
      .then(end, end);
  }

  /** Outside a transaction a crashed actor is held for ever; inside, it throws, so that the server rolls back. */
  async gate(point: string): Promise<void> {
    if (this.crashed) return this.#die();
    this.at = point;
    await new Promise<void>((resolve, reject) => {
      this.#open = resolve;
      this.#refuse = this.#inTransaction ? reject : () => undefined;
      this.#stand("parked");
    });
  }

  open(): void {
    this.standing = "running";
    this.#open();
  }

  /** As `kill -9` would: nothing of it runs any more, and what it had not committed is gone. */
  crash(): void {
    this.crashed = true;
    this.#stand("ended");
    this.#refuse(new Crash());
  }

  /** A single statement is a transaction too, so that what it changed shows only when its commit is stepped. */
  database(pool: Pool): Database {
    const plain = pgDatabase(pool);
    const transaction: Database["transaction"] = async (run) => {
      if (this.crashed) return this.#die();
      const result = await plain.transaction((tx) => this.#within(tx, run)).catch((error) => this.#rolledBack(error));
      await this.gate("committed");
      return result;
    };
    return { transaction, query: (strings, ...values) => transaction((tx) => tx.query(strings, ...values)) };
  }

  async #within<T>(tx: Sql, run: (tx: Sql) => Promise<T>): Promise<T> {
    this.#inTransaction = true;
    const gated: Sql = {
      query: async (strings, ...values) => {
        await this.gate("statement");
        return tx.query(strings, ...values);
      },
    };
    const made = await run(gated);
    await this.gate("commit");
    this.#inTransaction = false;
    return made;
  }

  #rolledBack(error: unknown): Promise<never> {
    this.#inTransaction = false;
    return this.crashed ? this.#die() : Promise.reject(error);
  }

  #die(): Promise<never> {
    return this.#inTransaction ? Promise.reject(new Crash()) : new Promise(() => undefined);
  }

  #stand(standing: Standing): void {
    if (this.crashed && standing !== "ended") return;
    this.standing = standing;
    this.schedule.changed();
  }
}

/** Lets one actor at a time take one step, and knows who waits for whose lock. */
export class Schedule {
  readonly actors: Actor[] = [];
  #waiting: (() => void)[] = [];

  constructor(private readonly pool: Pool) {}

  get live(): Actor[] {
    return this.actors.filter(({ standing }) => standing !== "ended");
  }

  get parked(): Actor[] {
    return this.actors.filter(({ standing }) => standing === "parked");
  }

  spawn(name: string, run: (actor: Actor) => Promise<unknown>): Actor {
    const actor = new Actor(name, this);
    this.actors.push(actor);
    actor.start(run);
    return actor;
  }

  changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Waits until every actor stands at a gate, has ended, or waits for a lock that one at a gate holds. */
  async quiesce(): Promise<void> {
    for (;;) {
      const running = this.actors.filter(({ standing }) => standing === "running").length;
      if (running === 0) return;
      const moved = await Promise.race([this.#change().then(() => true), delay(5).then(() => false)]);
      if (!moved && (await this.#blocked()) >= running) return;
    }
  }

  /** Runs what is left to its end, in turn. */
  async drain(afterStep: (actor: Actor) => Promise<void>): Promise<void> {
    for (let turn = 0; this.live.length > 0; turn++) {
      await this.quiesce();
      const next = this.parked[turn % Math.max(1, this.parked.length)];
      next?.open();
      await this.quiesce();
      if (next) await afterStep(next);
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  async #blocked(): Promise<number> {
    const { rows } = await this.pool.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows[0].n;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
