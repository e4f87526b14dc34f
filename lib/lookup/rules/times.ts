import { instantMicros } from "@/lib/i18n/time";

/** Milliseconds from one time to another, microseconds kept as the fraction. */
export function msBetween(from: string, to: string): number {
  return (instantMicros(to) - instantMicros(from)) / 1000;
}

/** The time `ms` later (earlier where negative), exact to the microsecond. */
export function shift(time: string, ms: number): string {
  const micros = instantMicros(time) + Math.round(ms * 1000);
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000).padStart(6, "0");
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, `.${fraction}Z`);
}
