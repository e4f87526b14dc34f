import type { z } from "zod";

interface PostOptions {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string;
}

/** GET under `/api/v1`, the answer parsed by its schema. */
export function getJson<Shape extends z.ZodType>(path: string, shape: Shape, signal?: AbortSignal) {
  return call(path, shape, { signal: signal ?? null });
}

/** POST under `/api/v1`, the answer parsed by its schema. */
export function postJson<Shape extends z.ZodType>(
  path: string,
  body: unknown,
  shape: Shape,
  options: PostOptions = {},
) {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (options.idempotencyKey) headers["Idempotency-Key"] = options.idempotencyKey;
  return call(path, shape, { method: "POST", headers, body: JSON.stringify(body), signal: options.signal ?? null });
}

async function call<Shape extends z.ZodType>(path: string, shape: Shape, init: RequestInit): Promise<z.output<Shape>> {
  const response = await fetch(`/api/v1${path}`, init);
  if (!response.ok) throw new Error(`${response.status} from ${path}`);
  return shape.parse(await response.json());
}
