import type { Endpoint } from "./endpoint";
import type { IdempotencyEvent } from "./events";

/** The loss of an attempt's event changes no answer. */
export function tellAttempt({ options }: Endpoint, attempt: IdempotencyEvent): void {
  try {
    options.sink?.attempt(attempt);
  } catch (error) {
    options.report?.(error);
  }
}

/** A failure of the store is an answer, never an exception; null after it was reported. */
export async function guarded<T>({ options }: Endpoint, action: () => Promise<T>): Promise<T | null> {
  try {
    return await action();
  } catch (error) {
    options.report?.(error);
    return null;
  }
}
