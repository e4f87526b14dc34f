/** The one fault a request asks for in its `Sandbox-Fault` header. */
export type Fault =
  | { kind: "slow"; ms: number }
  | { kind: "decline" }
  | { kind: "error-after-charge" }
  | { kind: "lose-answer"; hold: boolean }
  | { kind: "crash-after-charge" }
  | { kind: "crash-before-charge" };

export const faultHeader = "Sandbox-Fault";

/** A provider that answers later than this has lost its caller: every call is given up well before the lease ends. */
const MAX_SLOW_MS = 600_000;

const plain = ["decline", "error-after-charge", "crash-after-charge", "crash-before-charge"] as const;

/** Reads the header; null for a spelling that is none of the faults. */
export function parseFault(text: string): Fault | null {
  const [name, value, ...rest] = text.trim().split("=");
  if (rest.length > 0) return null;
  if (name === "slow" && value !== undefined && /^\d{1,6}$/.test(value) && Number(value) <= MAX_SLOW_MS) {
    return { kind: "slow", ms: Number(value) };
  }
  if (name === "lose-answer" && (value === undefined || value === "hold")) {
    return { kind: "lose-answer", hold: value === "hold" };
  }
  const kind = value === undefined ? plain.find((known) => known === name) : undefined;
  return kind ? { kind } : null;
}
