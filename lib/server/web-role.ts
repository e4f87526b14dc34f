import { Client } from "pg";
import { StartError } from "./failure";
import { type RoleFacts, roleColumns, roleSource, unfitReason } from "./fitness";

/** How long a start waits for the database, in ms. */
const CONNECT_MS = 5_000;

interface Fitness extends RoleFacts {
  role: string;
  /** Whether the desk's schema is there. */
  migrated: boolean;
}

const FITNESS_SQL = `SELECT current_user AS role, n.oid IS NOT NULL AS migrated, ${roleColumns} FROM ${roleSource}`;

/**
 * Refuses a database the web process must not or cannot serve from: unreachable, not migrated, or reached as a role
 * that row-level security does not bind (superuser, BYPASSRLS, or owner of the desk's tables).
 */
export async function refuseUnfitDatabase(url: string): Promise<void> {
  const fitness = await askFitness(url).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The database of DATABASE_URL does not answer: ${reason}`, { cause });
  });
  if (!fitness.migrated) throw new StartError("The database has no schema idemdesk yet. Run: npm run migrate");
  const reason = unfitReason(fitness);
  if (reason) {
    throw new StartError(
      `DATABASE_URL connects as ${fitness.role}, which ${reason}: it would see every tenant. Use the role idemdesk_web.`,
    );
  }
}

/**
 * Ends a web process whose role row-level security does not bind. A database that does not answer, or is not migrated
 * yet, ends nothing: until then there is nothing to show, and /readyz says so.
 */
export async function endUnboundProcess(url: string): Promise<void> {
  const fitness = await askFitness(url).catch(() => null);
  const reason = fitness && unfitReason(fitness);
  if (!reason) return;
  process.stderr.write(`DATABASE_URL connects as ${fitness.role}, which ${reason}. Use the role idemdesk_web.\n`);
  process.exit(1);
}

async function askFitness(url: string): Promise<Fitness> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => undefined); // a lost connection fails the query, which tells it
  try {
    await client.connect();
    const { rows } = await client.query<Fitness>(FITNESS_SQL);
    if (rows[0]) return rows[0];
    throw new Error("the role is not listed");
  } finally {
    await client.end();
  }
}
