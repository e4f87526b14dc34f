import type { EventRow, KeyRow, Profile } from "@/lib/lookup/rules/model";
import { type Picture, pictureOf } from "@/lib/lookup/rules/picture";
import { undeclared } from "@/lib/lookup/rules/profile";
import { shift } from "@/lib/lookup/rules/times";
import type { TwinStory } from "@/lib/lookup/rules/twins";

/** When every told story begins. */
const START = "2026-11-30T12:00:00.000001Z";
const HASH = "ab".repeat(32);
const PRINT = "cd".repeat(32);

/** The time `ms` after the story began. */
export const after = (ms: number) => shift(START, ms);

/** An event `ms` after the story began. */
export function event(ms: number, kind: string, more: Partial<EventRow> = {}): EventRow {
  return {
    eventId: `${kind}-${ms}`,
    kind,
    at: after(ms),
    receivedAt: after(ms),
    endpoint: "POST /v1/payments",
    keyHash: HASH,
    fingerprint: PRINT,
    state: null,
    status: null,
    durationMs: null,
    requestId: `request-${ms}`,
    requestIsKey: false,
    traceId: null,
    source: "payments",
    errorCode: null,
    providerReference: null,
    amount: 4200,
    currency: "EUR",
    references: [],
    customer: "cus_1",
    retryAfterMs: null,
    ...more,
  };
}

/** A claim at `ms` and its completion `took` later. */
export function executed(ms: number, took = 200, status = 201): EventRow[] {
  const requestId = `request-${ms}`;
  return [
    event(ms, "claimed", { state: "in_progress", requestId }),
    event(ms + took, "completed", { state: "completed", status, requestId, durationMs: took }),
  ];
}

export function row(more: Partial<KeyRow> = {}): KeyRow {
  return {
    id: "9007199254740993",
    tenantId: "00000000-0000-4000-8000-000000000001",
    endpoint: "POST /v1/payments",
    keyHash: HASH,
    keyMasked: "abcd…wxyz",
    weakness: null,
    fingerprint: PRINT,
    state: "completed",
    responseStatus: 201,
    bodyBytes: 300,
    lockedUntil: after(5_000),
    createdAt: START,
    expiresAt: after(86_400_000),
    ...more,
  };
}

export function twin(ms: number, more: Partial<TwinStory> = {}): TwinStory {
  return {
    endpoint: "POST /v1/payments",
    keyHash: "ef".repeat(32),
    keyId: "77",
    createdAt: after(ms),
    state: "completed",
    responseStatus: 201,
    executed: true,
    shares: "fingerprint",
    amount: 4200,
    currency: "EUR",
    deliveredAt: after(ms + 200),
    eventIds: [`twin-${ms}`],
    ...more,
  };
}

/** What the contract library's endpoints declare. */
export const declared: Profile = {
  ...undeclared,
  pattern: "POST /v1/payments",
  onInProgress: "conflict",
  onExpiredLease: "conflict",
  onCompleted: "replay",
  onExpired: "execute",
  onFailed: "pending",
  onUnknown: "pending",
};

/** A picture an hour after the story began. */
export function picture(more: Partial<Parameters<typeof pictureOf>[0]> = {}): Picture {
  return pictureOf({
    row: row(),
    olderRows: [],
    events: executed(0),
    keyless: [],
    twins: [],
    nearTwins: [],
    twinsChecked: true,
    profile: declared,
    caseId: null,
    now: after(3_600_000),
    ...more,
  });
}
