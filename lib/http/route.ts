import "server-only";
import type { z } from "zod";
import type { Transaction } from "@/lib/db/client";
import { type Admitted, admit } from "./admit";
import { serve } from "./call";
import type { Nothing, ReadDefinition, WriteDefinition } from "./definition";
import { runKeyed } from "./keyed";

/** What a handler is given: who asks, what they may see, what they sent. */
export type RequestContext<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType> = Omit<
  Admitted<P, Q, I>,
  "body"
>;

/** A write's handler works in one transaction, its scope already entered, that commits with the stored answer. */
export type WriteContext<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType> = RequestContext<P, Q, I> & {
  tx: Transaction;
};

type Handler<Context, O extends z.ZodType> = (context: Context) => Promise<z.input<O>> | z.input<O>;

/** A Next.js route handler that carries its declaration, for the OpenAPI document and the tests. */
export interface Route {
  (request: Request, context: { params: Promise<unknown> }): Promise<Response>;
  readonly definition: ReadDefinition | WriteDefinition;
  readonly keyed: boolean;
}

/**
 * Wraps a read. In this order: request id, principal, Origin, read-only mode, rate limit, right, shape of params, query
 * and body, tenant, handler, shape of the answer.
 */
export function route<
  O extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  I extends z.ZodType = Nothing,
>(definition: ReadDefinition<P, Q, I, O>, handler: Handler<RequestContext<P, Q, I>, O>): Route {
  const handle: Route = Object.assign(
    (request: Request, { params }: { params: Promise<unknown> }) =>
      serve(definition, request, async (call) => {
        const { body: _, ...context } = await admit(definition, request, (await params) ?? {}, call);
        return toResponse(definition, await handler(context));
      }),
    { definition, keyed: false },
  );
  return handle;
}

/** Wraps a change: as `route`, and the handler runs once under the request's Idempotency-Key, inside a transaction. */
export function writeRoute<
  O extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  I extends z.ZodType = Nothing,
>(definition: WriteDefinition<P, Q, I, O>, handler: Handler<WriteContext<P, Q, I>, O>): Route {
  const handle: Route = Object.assign(
    (request: Request, { params }: { params: Promise<unknown> }) =>
      serve(definition, request, async (call) => {
        const { body, ...context } = await admit(definition, request, (await params) ?? {}, call);
        const keyed = { call, scope: context.scope, body, store: definition.store };
        return runKeyed(request, keyed, async (tx) => toResponse(definition, await handler({ ...context, tx })));
      }),
    { definition, keyed: true },
  );
  return handle;
}

/** The answer as its shape declares it: a member the shape does not name never leaves. */
function toResponse<O extends z.ZodType>(
  { output, status }: { output: O; status?: number },
  value: z.input<O>,
): Response {
  return Response.json(output.parse(value), { status: status ?? 200 });
}
