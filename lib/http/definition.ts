import { z } from "zod";
import type { Right } from "@/lib/access/schema";
import type { LimitClass } from "./limit-classes";

/** The shape of parameters, query or body where none is declared: anything sent there is refused. */
export const Nothing = z.strictObject({});
export type Nothing = typeof Nothing;

/** What a request brought, once its shape was checked. */
export interface Parsed<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType> {
  params: z.output<P>;
  query: z.output<Q>;
  input: z.output<I>;
}

/**
 * What one endpoint declares. The wrapper enforces it, the OpenAPI document tells it, and a test holds every route to
 * it. An object given for `params`, `query` or `input` is read strictly: an unknown member is 400.
 */
export interface Definition<P extends z.ZodType, Q extends z.ZodType, I extends z.ZodType, O extends z.ZodType> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Route template with `{name}` for parameters: the endpoint's name for keys, audit and documentation. */
  path: `/api/${string}`;
  summary: string;
  right: Right;
  /** Beside the right: `person` is no service account, `session` is signed in at the desk and shows no token. */
  caller?: "person" | "session";
  params?: P;
  query?: Q;
  input?: I;
  output: O;
  /** Status of the answer; 200 where none is given. */
  status?: 200 | 201;
  /** The one tenant the request is about; undefined is every tenant the right is held over. */
  tenant?: (request: Parsed<P, Q, I>) => string | undefined;
  limit?: LimitClass;
  /** Bytes of body at most; 64 KiB where none is given. */
  maxBytes?: number;
}

/** GET, or a request that needs no Idempotency-Key. */
export interface ReadDefinition<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> extends Definition<P, Q, I, O> {
  /** Why a method other than GET takes no key. One that `changes` something is refused while the desk is read-only. */
  unkeyed?: { reason: string; changes: boolean };
}

/** A change under an Idempotency-Key: the command, its audit entry and the stored answer commit together. */
export interface WriteDefinition<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> extends Definition<P, Q, I, O> {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** `never` for answers that must not be kept: a repeat is told so, and still does not run again. */
  store?: "never";
}

/** The endpoint's name, as the contract spells it. */
export function endpointOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}
