import { z } from "zod";
import { generateKey } from "@/lib/idempotency/key-generate";

const ProblemShape = z.object({
  title: z.string(),
  status: z.int(),
  code: z.string(),
  retryable: z.boolean(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).default([]),
});

/** An error answer of the desk's API. `code` has a sentence in the messages; `unreachable` is no answer at all. */
export class Problem extends Error {
  override name = "Problem";

  constructor(
    readonly code: string,
    readonly status: number,
    detail: string,
    readonly retryable: boolean,
    /** To quote when asking about it; null where no answer came. */
    readonly requestId: string | null,
    readonly errors: readonly { pointer: string; detail: string }[] = [],
  ) {
    super(detail);
  }
}

interface CallOptions {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string;
}

/** GET under `/api/v1`; the answer parsed by its shape. Throws `Problem`. */
export function getJson<Shape extends z.ZodType>(path: string, shape: Shape, signal?: AbortSignal) {
  return call("GET", path, undefined, shape, { signal });
}

/** POST of something that changes nothing, such as a search. Throws `Problem`. */
export function postJson<Shape extends z.ZodType>(
  path: string,
  body: unknown,
  shape: Shape,
  options: CallOptions = {},
) {
  return call("POST", path, body, shape, options);
}

/** Sends a change and answers what it became. Throws `Problem`. */
export type Submit = <Shape extends z.ZodType>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body: unknown,
  shape: Shape,
) => Promise<z.output<Shape>>;

/**
 * Makes the sender of one form or button. The key of an operation is made before its first send and kept while the
 * outcome is open, so that pressing again, or a retry, can never do it twice; other content is another operation.
 */
export function createSubmit(): Submit {
  let open: { content: string; key: string } | null = null;
  return async (method, path, body, shape) => {
    const content = JSON.stringify([method, path, body]);
    if (open?.content !== content) open = { content, key: generateKey() };
    try {
      const answer = await call(method, path, body, shape, { idempotencyKey: open.key });
      open = null;
      return answer;
    } catch (error) {
      if (error instanceof Problem && isRefusal(error)) open = null;
      throw error;
    }
  };
}

/** Only a refusal proves that nothing happened. A 5xx may come from a proxy between, after the desk had done it. */
function isRefusal({ retryable, status }: Problem): boolean {
  return !retryable && status < 500;
}

async function call<Shape extends z.ZodType>(
  method: string,
  path: string,
  body: unknown,
  shape: Shape,
  { signal, idempotencyKey }: CallOptions,
): Promise<z.output<Shape>> {
  const headers = new Headers({ Accept: "application/json" });
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  const init = { method, headers, signal: signal ?? null, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await send(`/api/v1${path}`, init);
  // A replay keeps its first status also where the answer itself was not kept and a problem says so.
  if (!response.ok || isProblem(response)) throw await problemOf(response);
  return shape.parse(await response.json());
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Problem("unreachable", 0, "The desk does not answer.", true, null);
  }
}

function isProblem({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("application/problem+json") ?? false;
}

/** A proxy in between may answer in its own words; what the code then means is taken from the status. */
async function problemOf(response: Response): Promise<Problem> {
  const parsed = ProblemShape.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    const retryable = response.status >= 502 && response.status <= 504;
    const requestId = response.headers.get("X-Request-Id");
    return new Problem("unexpected_answer", response.status, `HTTP ${response.status}`, retryable, requestId);
  }
  const { code, status, detail, retryable, requestId, errors } = parsed.data;
  return new Problem(code, status, detail, retryable, requestId, errors);
}
