import { randomUUID } from "node:crypto";
import {
  type Claim,
  type Database,
  type EventSink,
  type Handler,
  type IdempotentHandler,
  idempotent,
  type LateResult,
  type LayoutName,
  type Mode,
  NotExecuted,
  OutcomeUnknown,
  type Sql,
} from "@/lib/idempotency";
import type { Plan } from "./idempotency-rules";

export const leaseMs = 60_000;
export const ttlMs = 3_600_000;
const callMs = 20_000;

/** What a handler meets in the world: its plan, a place to stop at, a provider. */
export interface Surroundings {
  db: Database;
  layout: LayoutName;
  /** With one, every change and its events are one transaction; without, most changes are single statements. */
  sink: EventSink | undefined;
  plan: Plan;
  stop: (point: string) => Promise<void>;
  entered: (claim: Claim) => void;
  returns: (result: string) => void;
  charge: (claim: Claim, reference: string, status: number) => void;
  late: (result: LateResult) => void;
  report: (error: unknown) => void;
}

/** The error a handler throws because its plan says so. */
export class Planned extends Error {}

/** One endpoint per mode: `POST /v1/atomic`, `POST /v1/separate`, `POST /v1/external`. */
export function paymentService(mode: Mode, around: Surroundings): IdempotentHandler {
  const { db, layout, sink, report, late } = around;
  const base = { db, layout, endpoint: `POST /v1/${mode}`, leaseMs, ttlMs, report, onLateResult: late };
  const options = sink ? { ...base, sink } : base;
  switch (mode) {
    case "atomic":
      return idempotent({ ...options, mode }, atomic(around));
    case "separate":
      return idempotent({ ...options, mode }, separate(around));
    case "external":
      return idempotent({ ...options, mode }, external(around));
  }
}

function atomic(around: Surroundings): Handler<"atomic", Sql> {
  return async (_, { claim, tx }) => {
    const { reference, status } = await begin(around, claim);
    await writeBusiness(tx, claim, reference, status);
    await around.stop("business written, not committed");
    if (around.plan === "throw") throw new Planned();
    return finish(around, reference, status);
  };
}

function separate(around: Surroundings): Handler<"separate", Sql> {
  return async (_, { claim }) => {
    const { reference, status } = await begin(around, claim);
    if (around.plan === "throw") throw new Planned();
    await around.db.transaction((tx) => writeBusiness(tx, claim, reference, status));
    return finish(around, reference, status);
  };
}

function external(around: Surroundings): Handler<"external", Sql> {
  return async (_, { claim, effect }) => {
    const { reference, status } = await begin(around, claim);
    if (around.plan === "throw") throw new Planned();
    await effect("charge", callMs, async () => {
      await around.stop("about to call the provider");
      around.charge(claim, reference, status);
      await around.stop("charged");
      if (around.plan === "ambiguous") throw new OutcomeUnknown();
    });
    await around.db.transaction((tx) => writeBusiness(tx, claim, reference, status));
    return finish(around, reference, status);
  };
}

async function begin({ plan, stop, entered }: Surroundings, claim: Claim) {
  entered(claim);
  await stop("handler");
  if (plan === "refuse") throw new NotExecuted(new Response("refused", { status: 403 }));
  return { reference: randomUUID(), status: plan === "decline" ? 402 : 201 };
}

function finish({ returns }: Surroundings, reference: string, status: number): Response {
  returns(`${status} ${JSON.stringify({ reference })}`);
  return Response.json({ reference }, { status });
}

export async function writeBusiness(tx: Sql, claim: Claim, reference: string, status: number): Promise<void> {
  await tx.query`
    INSERT INTO business (tenant_id, endpoint, idem_key, claim_id, reference, status)
    VALUES (${claim.tenant}::uuid, ${claim.endpoint}, ${claim.key}, ${claim.id}::bigint, ${reference}, ${status}::int)`;
}

/** The business row of this very claim: an earlier one under the same key, lapsed since, is another operation's. */
export async function businessRecord(tx: Sql, claim: Claim): Promise<Response | null> {
  const [found] = await tx.query<{ reference: string; status: number }>`
    SELECT reference, status FROM business
    WHERE tenant_id = ${claim.tenant}::uuid AND endpoint = ${claim.endpoint} AND idem_key = ${claim.key}
      AND claim_id = ${claim.id}::bigint`;
  return found ? Response.json({ reference: found.reference }, { status: found.status }) : null;
}
