import { z } from "zod";
import type { ReadDefinition, WriteDefinition } from "./definition";
import { errorCodes } from "./errors";
import type { Route } from "./route";

type Schema = Record<string, unknown>;

const problem: Schema = {
  type: "object",
  required: ["type", "title", "status", "code", "retryable", "detail", "requestId"],
  properties: {
    type: { type: "string", format: "uri" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { enum: errorCodes },
    retryable: { type: "boolean", description: "The same request, under the same key, may succeed later." },
    detail: { type: "string" },
    requestId: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "detail"],
        properties: { pointer: { type: "string", description: "RFC 6901" }, detail: { type: "string" } },
      },
    },
  },
};

/** The OpenAPI 3.1 document of the routes given, made from the very schemas that check requests and answers. */
export function openApi(routes: readonly Route[]): Schema {
  const paths: Record<string, Schema> = {};
  for (const { definition, keyed } of routes) {
    paths[definition.path] = {
      ...paths[definition.path],
      [definition.method.toLowerCase()]: operation(definition, keyed),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Idemdesk", version: "1", description: "The operator desk for idempotency keys." },
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "next-auth.session-token" },
      },
    },
  };
}

function operation(definition: ReadDefinition | WriteDefinition, keyed: boolean): Schema {
  const { summary, right, params, query, input, output, status = 200 } = definition;
  return {
    summary,
    "x-right": right,
    parameters: [...parameters("path", params), ...parameters("query", query), ...(keyed ? [idempotencyKey] : [])],
    ...(input && { requestBody: { required: true, content: json(jsonSchema(input, "input")) } }),
    responses: {
      [status]: { description: "Done", content: json(jsonSchema(output, "output")) },
      default: {
        description: "Refused",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

const idempotencyKey: Schema = {
  name: "Idempotency-Key",
  in: "header",
  required: true,
  description: "One per operation, made by the caller before the first send and kept across its retries.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[A-Za-z0-9_-]+$" },
};

function parameters(place: "path" | "query", shape: z.ZodType | undefined): Schema[] {
  if (!(shape instanceof z.ZodObject)) return [];
  return Object.entries(shape.shape).map(([name, member]) => ({
    name,
    in: place,
    required: place === "path" || !z.safeParse(member, undefined).success,
    schema: jsonSchema(member, "input"),
  }));
}

/** A shape JSON Schema cannot say (a transform's result) is left open. */
function jsonSchema(shape: z.core.$ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" });
  return schema;
}

function json(schema: Schema) {
  return { "application/json": { schema } };
}
