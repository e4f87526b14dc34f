/** How often one caller may do something: `points` per `seconds`, and at once up to `burst`. */
export interface Limit {
  points: number;
  seconds: number;
  burst: number;
  /** Counted in PostgreSQL for all web processes together, or in each process by itself. */
  shared: boolean;
}

export const limitClasses = ["search", "ingest", "reveal", "export", "sign-in", "audit-minute", "audit-hour"] as const;
export type LimitClass = (typeof limitClasses)[number];

const MINUTE_S = 60;
const QUARTER_HOUR_S = 900;
const HOUR_S = 3_600;

const counted = (points: number, seconds: number): Limit => ({ points, seconds, burst: points, shared: true });

/** `audit-minute` and `audit-hour` keep repeated entries of one kind apart; the others limit callers. */
export const defaultLimits: Record<LimitClass, Limit> = {
  search: { points: 20, seconds: 1, burst: 100, shared: false },
  ingest: { points: 50, seconds: 1, burst: 50, shared: false },
  reveal: counted(60, HOUR_S),
  export: counted(20, HOUR_S),
  "sign-in": counted(5, QUARTER_HOUR_S),
  "audit-minute": counted(1, MINUTE_S),
  "audit-hour": counted(1, HOUR_S),
};
