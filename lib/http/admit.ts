import "server-only";
import { z } from "zod";
import { type Caller, findCaller } from "@/lib/access/caller";
import { auditAnonymousDenial, auditDenial } from "@/lib/access/denials";
import { actorOf, authorize, requireCaller } from "@/lib/access/gate";
import { can } from "@/lib/access/rules";
import type { Principal } from "@/lib/access/schema";
import { renewSession, type Session } from "@/lib/access/session";
import type { Actor } from "@/lib/audit/schema";
import type { Scope } from "@/lib/db/scope";
import { env } from "@/lib/env";
import { negotiateLocale, type Reader } from "@/lib/i18n/locale";
import type { Call } from "./call";
import { type Definition, Nothing, type Parsed } from "./definition";
import { AppError } from "./errors";
import { consume } from "./limits";
import { isOwnOrigin } from "./origin";
import { parseInput } from "./problem";
import { jsonOf, queryOf, readBody } from "./request";

/** A request that may be answered. */
export interface Admitted<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType> extends Parsed<P, Q, I> {
  scope: Scope;
  principal: Principal;
  /** The principal as the audit names it. */
  actor: Actor;
  /** By which session the caller is signed in; null where a token was shown. */
  session: Session | null;
  /** Headers that the answer gets beside its own. */
  headers: Headers;
  requestId: string;
  /** Whom sentences are written for: the language asked for, times in UTC. Pages say codes and parameters themselves. */
  reader: Reader;
  /** Ends when the caller goes away. */
  signal: AbortSignal;
  /** The body as it came. */
  body: Uint8Array<ArrayBuffer>;
}

const DEFAULT_BODY_BYTES = 64 * 1024;

/** Takes a request in, or throws why not. Whatever is refused for want of a right leaves an audit entry. */
export async function admit<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType>(
  definition: Definition<P, Q, I, z.ZodType> & { unkeyed?: { changes: boolean } },
  request: Request,
  params: unknown,
  call: Call,
): Promise<Admitted<P, Q, I>> {
  const { requestId, endpoint } = call;
  const { principal, session } = await identify(request, call);
  if (changes(definition)) refuseReadOnly();
  if (definition.limit) await consume(definition.limit, principal.tokenId ?? principal.id);
  const asked = { right: definition.right, requestId, endpoint };
  if (definition.caller) await requireCaller(principal, definition.caller, asked);
  const parsed = await parse(definition, request, params).catch(expected);
  if (parsed instanceof AppError) {
    // A caller without the right learns nothing of what would be valid.
    if (!can(principal, definition.right)) await authorize(principal, asked);
    throw parsed;
  }
  const scope = await authorize(principal, { ...asked, tenantId: definition.tenant?.(parsed) });
  const actor = actorOf(principal, requestId);
  const { headers } = call;
  const reader = readerOf(request);
  return { ...parsed, scope, principal, actor, session, headers, requestId, reader, signal: request.signal };
}

function readerOf({ headers }: Request): Reader {
  return { locale: negotiateLocale(headers.get("accept-language")), timeZone: "UTC" };
}

async function identify(request: Request, call: Call): Promise<Caller> {
  const caller = await findCaller(request.headers);
  if (caller === null) {
    await auditAnonymousDenial(call.requestId, call.endpoint);
    throw new AppError("not_signed_in", "Sign in, or send a valid token.");
  }
  call.principalId = caller.principal.id;
  if (caller.session === null) return caller;
  const renewed = await renewSession(caller.session);
  if (renewed !== null) call.headers.append("Set-Cookie", renewed);
  if (!isOwnOrigin(request, env().NEXTAUTH_URL)) throw await refuseOrigin(caller.principal, call);
  return caller;
}

async function refuseOrigin(principal: Principal, { requestId, endpoint }: Call): Promise<AppError> {
  const denial = { code: "origin_refused", endpoint, right: null, tenantId: null } as const;
  await auditDenial(actorOf(principal, requestId), denial, null);
  return new AppError("origin_refused", "A change must be sent by a page of this desk. Reload the page and repeat it.");
}

function changes({ method, unkeyed }: { method: string; unkeyed?: { changes: boolean } }): boolean {
  return unkeyed ? unkeyed.changes : method !== "GET";
}

function refuseReadOnly(): void {
  if (env().IDEMDESK_READ_ONLY)
    throw new AppError("read_only", "The desk was started read-only; nothing can be changed.");
}

function expected(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

async function parse<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType>(
  definition: Definition<P, Q, I, z.ZodType>,
  request: Request,
  params: unknown,
): Promise<Parsed<P, Q, I> & { body: Uint8Array<ArrayBuffer> }> {
  const { headers, url } = request;
  const body = await readBody(request, definition.maxBytes ?? DEFAULT_BODY_BYTES);
  const json = body.byteLength === 0 ? {} : jsonOf(headers, body);
  return {
    body,
    params: parseInput(strict(definition.params), params, "params"),
    query: parseInput(strict(definition.query), queryOf(url), "query"),
    input: parseInput(strict(definition.input), json, "body"),
  };
}

/** The declared shape, refusing members it does not name. Where none is declared nothing may be sent. */
function strict<Shape extends z.ZodType>(shape: Shape | undefined): Shape {
  return (shape instanceof z.ZodObject ? shape.strict() : (shape ?? Nothing)) as Shape;
}
