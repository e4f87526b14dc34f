import "server-only";
import type { z } from "zod";
import { databaseError } from "@/lib/db/errors";
import { AppError, type FieldError } from "./errors";

/** Body of every error answer, as RFC 9457 describes it. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: string;
  retryable: boolean;
  detail: string;
  requestId: string;
  errors?: FieldError[];
}

/** Whatever was thrown, as the error a caller may read. Anything unknown becomes `internal`, which tells nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  switch (databaseError(error)) {
    case "timeout":
      return new AppError(
        "query_timeout",
        "The search was stopped before it finished. Narrow it: one tenant, one endpoint, or a shorter time.",
        { cause: error, retryAfterSeconds: 5 },
      );
    case "unavailable":
      // Whether a change was kept is not said: the answer to its COMMIT may be what was lost.
      return new AppError("database_unavailable", "The database does not answer. Try again in a moment.", {
        cause: error,
        retryAfterSeconds: 2,
      });
    case "contended":
      return new AppError("conflict", "Someone else was changing the same thing. Look again, then repeat.", {
        cause: error,
      });
    default:
      return new AppError(
        "internal",
        "The request could not be answered. Quote the request id when you ask about it.",
        {
          cause: error,
        },
      );
  }
}

/** The body of an error's answer. */
export function problemBody(error: AppError, requestId: string): ProblemBody {
  return {
    type: `urn:idemdesk:problem:${error.code}`,
    title: error.title,
    status: error.status,
    code: error.code,
    retryable: error.retryable,
    detail: error.message,
    requestId,
    ...(error.errors && { errors: error.errors }),
    ...error.extra,
  };
}

/** Parses what came in; throws `validation_failed` with a JSON Pointer for each thing that is wrong. */
export function parseInput<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  part: "body" | "query" | "params",
): z.output<Shape> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  throw new AppError("validation_failed", `The ${part} is not valid.`, { errors: fieldErrors(result.error, part) });
}

function fieldErrors(error: z.ZodError, part: string): FieldError[] {
  return error.issues.flatMap((issue) => {
    const paths = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({ pointer: pointer([part, ...path]), detail: issue.message }));
  });
}

/** RFC 6901. */
function pointer(path: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
