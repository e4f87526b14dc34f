import type { Look } from "@/components/ui/look";
import type { AttemptOutcome, KeySummary, Twin, VerdictCode } from "@/lib/lookup/schema";

const attemptLooks: Record<AttemptOutcome, Look> = {
  executed: "executed",
  running: "running",
  released: "ended",
  failed: "failed",
  unknown: "unknown",
  replayed: "replayed",
  conflict: "conflict",
  pending: "conflict",
  mismatch: "mismatch",
  rejected: "rejected",
};

const stateLooks: Record<string, Look> = {
  in_progress: "running",
  completed: "executed",
  failed: "failed",
  unknown: "unknown",
};

/** One mark a verdict; two where it says that something ran twice. */
const verdictLooks: Record<VerdictCode, readonly Look[]> = {
  unrecognised: ["unknown"],
  unknown: ["unknown"],
  stuck: ["stuck"],
  failed: ["failed"],
  in_progress: ["running"],
  possibly_repeated: ["executed", "executed"],
  expired_then_reused: ["executed", "executed"],
  declined: ["executed"],
  errored: ["unknown"],
  executed_once: ["executed"],
  released: ["ended"],
  refused_only: ["rejected"],
  cleaned: ["ended"],
  never_seen: ["ended"],
  not_searchable: ["ended"],
};

/** How an attempt looks. One that still runs past its lease is stuck. */
export function attemptLook(outcome: AttemptOutcome, stuck: boolean): Look {
  return outcome === "running" && stuck ? "stuck" : attemptLooks[outcome];
}

/** How a record looks; a state nobody listed looks unknown, because nobody knows what it means. */
export function keyLook({ state, phase, stuck }: Pick<KeySummary, "state" | "phase" | "stuck">): Look {
  if (stuck) return "stuck";
  if (phase !== "live") return "ended";
  return stateLooks[state ?? ""] ?? "unknown";
}

export function twinLook({ state, executed }: Pick<Twin, "state" | "executed">): Look {
  return executed ? "executed" : state === null ? "ended" : (stateLooks[state] ?? "unknown");
}

/** The marks of a verdict, in order. */
export function verdictMarks(code: VerdictCode): readonly Look[] {
  return verdictLooks[code];
}
