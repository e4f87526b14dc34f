import type { Admission } from "./admit";
import type { Endpoint } from "./endpoint";
import { type AttemptKind, event } from "./events";
import { guarded, tellAttempt } from "./guarded";
import { eventBase, type Intake } from "./intake";
import { problem, unconfirmed } from "./response/answers";
import { replayResponse } from "./response/replay";
import { withHeader } from "./response/with-header";
import type { KeyRow } from "./store/rows";

export const replayedHeader = "Idempotent-Replayed";

/** The answer to a request that may not run. */
export async function answerStanding(
  endpoint: Endpoint,
  intake: Intake,
  admission: Exclude<Admission, { kind: "won" }>,
): Promise<Response> {
  switch (admission.kind) {
    case "unavailable":
    case "incomparable":
      return problem("idempotency_store_unavailable", { retryAfter: 1 });
    case "limited":
      return problem("key_rate_limited", { retryAfter: Math.ceil(admission.retryAfterMs / 1000) });
    case "replayed": {
      const response = await replay(endpoint, intake, admission.row);
      if (!response) return problem("idempotency_store_unavailable", { retryAfter: 1 });
      return record(endpoint, intake, "replayed", admission.at, response);
    }
    case "conflict":
      return record(endpoint, intake, "conflict", admission.at, problem("request_in_progress", { retryAfter: 1 }));
    case "mismatch":
      return record(endpoint, intake, "mismatch", admission.at, problem("idempotency_key_reuse", { detail: reuse }));
    case "pending":
      return record(endpoint, intake, "pending", admission.at, stillOpen(endpoint));
  }
}

const reuse = "Another request was sent under this key. Use a new key for a new operation.";

function stillOpen({ options }: Endpoint): Response {
  return unconfirmed("outcome_pending", options.pendingRetryAfter);
}

async function replay(endpoint: Endpoint, intake: Intake, row: KeyRow): Promise<Response | null> {
  const { keep, render } = endpoint.options;
  const options = { keyRing: keep?.keyRing, render };
  const response = await guarded(endpoint, () => replayResponse(row, intake.operation, options));
  return response && withHeader(response, replayedHeader, "true");
}

function record(endpoint: Endpoint, intake: Intake, kind: AttemptKind, at: string, response: Response): Response {
  if (!endpoint.options.sink) return response;
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const more = {
    ...intake.facts,
    ...(kind === "replayed" && { replayed: true }),
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1000 }),
    responseStatus: response.status,
    durationMs: intake.elapsed(),
  };
  tellAttempt(endpoint, event(eventBase(endpoint, intake), kind, at, more));
  return response;
}
