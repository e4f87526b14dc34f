import { randomUUID } from "node:crypto";
import {
  type Context,
  type Database,
  type IdempotentHandler,
  idempotent,
  type LayoutName,
  type Sql,
} from "@/lib/idempotency";
import type { Deaths } from "./idempotency-deaths";
import { leaseMs, ttlMs, writeBusiness } from "./idempotency-handlers";

interface Surroundings {
  db: Database;
  layout: LayoutName;
  providerUrl: string;
  deaths: Deaths;
}

const callMs = 10_000;

/** The payments service of the proofs by path: `/v1/atomic`, `/v1/separate`, `/v1/external`. */
export function endpoints({ db, layout, providerUrl, deaths }: Surroundings): Map<string, IdempotentHandler> {
  const shared = { db, layout, leaseMs, ttlMs, sink: deaths.sink };

  async function enter(request: Request, { operation }: Context): Promise<string> {
    deaths.at("claimed", operation.key);
    await new Promise((resolve) => setTimeout(resolve, Number(request.headers.get("Hold-Ms"))));
    return randomUUID();
  }

  async function record(tx: Sql, { claim, operation }: Context, reference: string): Promise<void> {
    await writeBusiness(tx, claim, reference, 201);
    deaths.at("business not committed", operation.key);
  }

  async function recordApart(context: Context, reference: string): Promise<Response> {
    await db.transaction((tx) => record(tx, context, reference));
    deaths.at("business committed", context.operation.key);
    return Response.json({ reference }, { status: 201 });
  }

  const atomic = idempotent({ ...shared, endpoint: "POST /v1/atomic", mode: "atomic" }, async (request, context) => {
    const reference = await enter(request, context);
    await record(context.tx, context, reference);
    return Response.json({ reference }, { status: 201 });
  });

  const separate = idempotent(
    { ...shared, endpoint: "POST /v1/separate", mode: "separate" },
    async (request, context) => recordApart(context, await enter(request, context)),
  );

  const external = idempotent(
    { ...shared, endpoint: "POST /v1/external", mode: "external" },
    async (request, context) => {
      await enter(request, context);
      const reference = await context.effect("charge", callMs, async (signal, downstreamKey) => {
        deaths.at("effect recorded", context.operation.key);
        const answer = await fetch(`${providerUrl}/?key=${downstreamKey}`, { method: "POST", signal });
        deaths.at("provider charged", context.operation.key);
        return ((await answer.json()) as { reference: string }).reference;
      });
      return recordApart(context, reference);
    },
  );

  return new Map([
    ["/v1/atomic", atomic],
    ["/v1/separate", separate],
    ["/v1/external", external],
  ]);
}
