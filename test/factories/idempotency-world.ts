import { randomUUID } from "node:crypto";
import { DatabaseError, type Pool } from "pg";
import {
  type Claim,
  createStore,
  EffectRefused,
  type EventSink,
  type LayoutName,
  type Mode,
  OutcomeUnknown,
  recover,
  type Sql,
  settleUnknown,
} from "@/lib/idempotency";
import { passTime, resetProof } from "./idempotency-database";
import { type Actor, Crash, Schedule } from "./idempotency-gates";
import { businessRecord, Planned, paymentService, writeBusiness } from "./idempotency-handlers";
import { ReferenceModel, type Tally } from "./idempotency-model";
import type { Asked, Author, Effect, Plan } from "./idempotency-rules";
import { describeAnswer, opOf, see } from "./idempotency-see";

export interface Target {
  tenant: 0 | 1;
  mode: Mode;
  key: string;
}

/** A service on the library, a provider with its ledger, and the model that watches both, for one random run. */
export class World {
  readonly model: ReferenceModel;
  readonly schedule: Schedule;
  readonly #ledger: Effect[] = [];
  readonly #failures: unknown[] = [];
  readonly #tenants = [randomUUID(), randomUUID()];
  readonly #authors = new Map<Actor, Author>();

  constructor(
    readonly pool: Pool,
    readonly layout: LayoutName,
    readonly withSink: boolean,
    tally?: Tally,
  ) {
    this.model = new ReferenceModel(tally);
    this.schedule = new Schedule(pool);
  }

  reset(): Promise<void> {
    return resetProof(this.pool, this.layout);
  }

  send({ tenant: index, mode, key }: Target, body: number, plan: Plan): void {
    const tenant = this.#tenants[index] ?? "";
    const op = opOf({ tenant, endpoint: `POST /v1/${mode}`, key });
    const asked = this.model.ask(op, body, plan);
    this.#spawn(`${plan} ${op}`, "request", asked, async (actor) => {
      const headers = { "Idempotency-Key": key, "Content-Type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ body }) };
      const service = this.#service(actor, asked, mode);
      const answer = await describeAnswer(await service(new Request(`http://api.test/v1/${mode}`, init), { tenant }));
      await actor.gate("answered");
      this.model.answered(asked, answer);
    });
  }

  recover(): void {
    const store = createStore(this.layout);
    const lookUp = async (tx: Sql, claim: Claim) => {
      const found = await businessRecord(tx, claim);
      if (!found) this.model.missed(claim.id);
      return found;
    };
    const profile = (endpoint: string) => ({ mode: modeOf(endpoint), businessRecord: lookUp });
    this.#spawn("recovery", "recovery", null, (actor) =>
      recover({ db: actor.database(this.pool), store, profile, report: this.#fail }),
    );
  }

  settle(reachable: boolean): void {
    const store = createStore(this.layout);
    this.#spawn("settlement", "settlement", null, (actor) =>
      settleUnknown({
        db: actor.database(this.pool),
        store,
        ask: async (claim: Claim) => {
          const found = this.#ledger.find(({ claimId }) => claimId === claim.id);
          await actor.gate("asked the provider");
          if (!reachable || !found) return { finding: reachable ? "not_found" : "unreachable" };
          return { finding: found.status < 300 ? "found_succeeded" : "found_declined", found };
        },
        settle: async (tx, claim: Claim, { found }) => {
          if (!found) throw new Error("settled from nothing");
          const known = await businessRecord(tx, claim);
          if (!known) await writeBusiness(tx, claim, found.reference, found.status);
          return Response.json({ reference: found.reference }, { status: found.status });
        },
        report: this.#fail,
      }),
    );
  }

  /** The cleaner's statements: lapsed rows and lapsed guards, each apart from the other. */
  cleanUp(table: "keys" | "guard"): void {
    if (table === "guard" && this.layout === "plain") return;
    this.#spawn(`clean ${table}`, "cleanup", null, (actor) => {
      const db = actor.database(this.pool);
      return table === "keys"
        ? db.query`DELETE FROM idempotency_keys WHERE state = 'completed' AND expires_at <= clock_timestamp()`
        : db.query`DELETE FROM idempotency_guard WHERE free_at <= clock_timestamp()`;
    });
  }

  async passTime(interval: string): Promise<void> {
    for (const actor of this.schedule.parked) {
      const author = this.#authors.get(actor);
      if (author && actor.at === "commit") author.overtaken = true;
    }
    await passTime(this.pool, interval);
    await this.#look(clock);
  }

  /** Lets one actor take one step and has the model judge what changed. */
  async step(actor: Actor): Promise<void> {
    actor.open();
    await this.schedule.quiesce();
    await this.lookAfter(actor);
  }

  async crash(actor: Actor): Promise<void> {
    const asked = this.#authors.get(actor)?.asked;
    if (asked) asked.crashed = true;
    actor.crash();
    await this.lookAfter(actor);
  }

  /** Nothing can have changed but by a commit, so only those are looked at. */
  async lookAfter(actor: Actor): Promise<void> {
    if (this.#failures.length > 0) throw this.#failures[0];
    if (actor.at !== "committed") return this.model.standStill();
    const author = this.#authors.get(actor) ?? clock;
    await this.#look(author);
    author.overtaken = false;
  }

  /** Lets nothing of a run go on into the next. */
  abandon(): void {
    for (const actor of this.schedule.live) actor.crash();
  }

  async conclude(): Promise<void> {
    this.model.concluded(await see(this.pool, this.#ledger));
  }

  async #look(author: Author): Promise<void> {
    this.model.look(await see(this.pool, this.#ledger), author);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #spawn(name: string, role: Author["role"], asked: Asked | null, run: (actor: Actor) => Promise<unknown>): void {
    const actor = this.schedule.spawn(name, (self) => run(self).catch(this.#fail));
    this.#authors.set(actor, { role, asked, overtaken: false });
  }

  #service(actor: Actor, asked: Asked, mode: Mode) {
    return paymentService(mode, {
      db: actor.database(this.pool),
      layout: this.layout,
      sink: this.withSink ? silentSink : undefined,
      plan: asked.plan,
      stop: (point) => actor.gate(point),
      entered: (claim) => this.model.enter(asked, claim.id),
      returns: (result) => {
        asked.result = result;
      },
      charge: (claim, reference, status) => {
        this.#ledger.push({ op: opOf(claim), claimId: claim.id, reference, status });
      },
      late: ({ claim }) => void this.model.late.add(claim.id),
      report: this.#fail,
    });
  }

  readonly #fail = (error: unknown): void => {
    const expected =
      [Planned, EffectRefused, OutcomeUnknown, Crash].some((kind) => error instanceof kind) || isLate(error);
    if (!expected) this.#failures.push(error);
  };
}

const clock: Author = { role: "clock", asked: null, overtaken: false };
/** A late owner and a settlement wrote one business record: the unique index let the first have it. */
function isLate(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint?.startsWith("business_") === true;
}

const silentSink: EventSink = { inTransaction: async () => undefined, attempt: () => undefined };

function modeOf(endpoint: string): Mode {
  const mode = endpoint.split("/").at(-1);
  if (mode === "atomic" || mode === "separate" || mode === "external") return mode;
  throw new Error(`no mode in ${endpoint}`);
}
