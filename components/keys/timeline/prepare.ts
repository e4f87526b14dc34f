import { instantMicros } from "@/lib/i18n/time";
import type { Chain } from "@/lib/lookup/schema";
import { attemptLook, twinLook } from "../looks";
import type { TimelineInput } from "./layout";

/** More lanes than this say no more than the table under them. */
export const LANES_SHOWN = 4;

/** The words of the picture, in the reader's language and zone. */
export interface TimelineWords {
  now: string;
  expires: (at: string) => string;
  expired: (at: string) => string;
  twin: (keyHash: string, status: number | null) => string;
}

/** Picks what the picture shows out of a chain: attempts, leases that matter, expiries, and the nearest twins. */
export function prepareTimeline(chain: Chain, words: TimelineWords): TimelineInput {
  const now = instantMicros(chain.now);
  const last = chain.generations.at(-1);
  const open = last !== undefined && last.state !== null && last.state !== "completed";
  const stuck = chain.generations.some((run) => overdue(run, now));
  const expiries = chain.generations.flatMap(({ state, expiresAt }) =>
    expiresAt !== null && state === "completed" ? [expiresAt] : [],
  );
  const live = open || expiries.some((at) => instantMicros(at) > now);
  return {
    attempts: chain.attempts.map((attempt) => ({
      id: attempt.eventId,
      at: instantMicros(attempt.at),
      durationMs: attempt.durationMs,
      look: attemptLook(attempt.outcome, stuck),
      status: attempt.status === null ? "" : String(attempt.status),
    })),
    leases: chain.generations.flatMap((run) => {
      if (run.lockedUntil === null || run.state === "completed" || run.state === null) return [];
      return [
        {
          from: instantMicros(run.startedAt),
          until: instantMicros(run.lockedUntil),
          ranUntil: overdue(run, now) ? now : null,
        },
      ];
    }),
    flags: [
      ...expiries.map((at) => ({
        kind: "expiry" as const,
        at: instantMicros(at),
        label: instantMicros(at) > now ? words.expires(at) : words.expired(at),
      })),
      ...(live ? [{ kind: "now" as const, at: now, label: words.now }] : []),
    ],
    twins: [...chain.twins, ...chain.nearTwins].slice(0, LANES_SHOWN).map((twin) => ({
      id: twin.keyHash,
      at: instantMicros(twin.createdAt),
      look: twinLook(twin),
      label: words.twin(twin.keyHash, twin.responseStatus),
      sameRequest: twin.shares === "fingerprint",
    })),
  };
}

function overdue({ state, lockedUntil }: Chain["generations"][number], now: number): boolean {
  return state === "in_progress" && (lockedUntil === null || instantMicros(lockedUntil) <= now);
}
