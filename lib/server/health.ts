import "server-only";
import { directPool } from "@/lib/db/direct";
import { type RoleFacts, roleColumns, roleSource, unfitReason } from "./fitness";

/** One thing the desk depends on. `detail` is for the operator of the desk and never holds database text. */
interface Check {
  name: "database" | "role" | "schema" | "keys" | "partitions";
  ok: boolean;
  detail: string;
}

export interface Readiness {
  ready: boolean;
  checks: Check[];
}

interface Facts extends RoleFacts {
  migrated: boolean;
  keys: boolean;
  daysAhead: number;
}

/** How long a probe waits for the database, in ms: probes give up themselves soon after. */
const PATIENCE_MS = 3_000;
/** Days of events that must exist ahead: with fewer, one night without the worker could lose events. */
const DAYS_NEEDED = 3;

/** Whether this process can serve: the database answers, row-level security binds us, and tomorrow's events have a place. */
export async function readiness(): Promise<Readiness> {
  const checks = await askFacts().then(checksOf, () => [unreachable]);
  return { ready: checks.every(({ ok }) => ok), checks };
}

const unreachable: Check = { name: "database", ok: false, detail: "PostgreSQL does not answer." };

function checksOf(facts: Facts): Check[] {
  const role = unfitReason(facts);
  const check = (name: Check["name"], ok: boolean, good: string, bad: string): Check => ({
    name,
    ok,
    detail: ok ? good : bad,
  });
  return [
    check("database", true, "PostgreSQL answers.", ""),
    check("role", role === null, "Row-level security binds the web role.", `The web role ${role}.`),
    check("schema", facts.migrated, "The schema is there.", "The schema is missing. Run: npm run migrate"),
    check("keys", facts.keys, "The keys can be read.", "The view idemdesk.key is missing. Run: npm run migrate"),
    check(
      "partitions",
      facts.daysAhead >= DAYS_NEEDED,
      `Events have a place for the next ${facts.daysAhead} days.`,
      `Events have a place for the next ${facts.daysAhead} days only. Is the worker running?`,
    ),
  ];
}

const FACTS_SQL = `
  SELECT ${roleColumns},
         to_regclass('idemdesk.tenant') IS NOT NULL AS migrated,
         to_regclass('idemdesk.key') IS NOT NULL AS keys,
         (SELECT count(*)::int
          FROM generate_series(1, 14) AS ahead
          WHERE to_regclass('idemdesk.event_'
            || to_char((clock_timestamp() AT TIME ZONE 'UTC')::date + ahead, 'YYYYMMDD')) IS NOT NULL) AS "daysAhead"
  FROM ${roleSource}`;

async function askFacts(): Promise<Facts> {
  const { rows } = await withPatience(directPool().query<Facts>(FACTS_SQL));
  const [facts] = rows;
  if (!facts) throw new Error("the role is not listed");
  return facts;
}

async function withPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
