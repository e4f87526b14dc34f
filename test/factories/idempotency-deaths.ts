import { type EventSink, hashKey, type IdempotencyEvent } from "@/lib/idempotency";

/** Where a request may find its process killed, in the order a request passes them. */
export const points = [
  "claim not committed",
  "claimed",
  "effect not committed",
  "effect recorded",
  "provider charged",
  "business not committed",
  "business committed",
  "completion not committed",
  "completed, not sent",
  "sent in part",
] as const;
export type Point = (typeof points)[number];

const pointOfEvent: Partial<Record<IdempotencyEvent["kind"], Point>> = {
  claimed: "claim not committed",
  effect_started: "effect not committed",
  completed: "completion not committed",
};

export function keyOf(request: Request): string {
  return request.headers.get("Idempotency-Key") ?? "";
}

/** Kills this very process, as `kill -9` does, when a request that asked for it reaches its point. */
export class Deaths {
  readonly #expected = new Map<string, string>();

  /** Its events are written inside the transactions of the library, so they mark what is not committed yet. */
  readonly sink: EventSink = {
    inTransaction: async (_, events) => {
      for (const { kind, keyHash } of events) {
        const point = pointOfEvent[kind];
        if (point && keyHash && this.#expected.get(keyHash) === point) die();
      }
    },
    attempt: () => undefined,
  };

  expect(key: string, point: string | null): void {
    if (point !== null) this.#expected.set(hashKey(key), point);
  }

  async whileSending(response: Response, key: string): Promise<Response> {
    if (this.#expected.get(hashKey(key)) !== "sent in part") return response;
    const { status, headers } = response;
    return new Response(sentInPart(await response.bytes()), { status, headers });
  }

  at(point: Point, key: string): void {
    if (this.#expected.get(hashKey(key)) === point) die();
  }
}

/** The first bytes, then nothing for long enough that they are on the wire, then death. */
function sentInPart(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    async pull(controller) {
      if (sent) await new Promise((resolve) => setTimeout(resolve, 50)).then(die);
      controller.enqueue(bytes.subarray(0, 5));
      sent = true;
    },
  });
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;); // not one more instruction of the request, however late the signal is
}
