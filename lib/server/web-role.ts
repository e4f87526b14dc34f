import { Client } from "pg";
import { StartError } from "./failure";
import { type RoleFacts, unfitReason } from "./fitness";

interface Fitness extends RoleFacts {
  role: string;
  /** Whether the desk's schema is there. */
  migrated: boolean;
}

const FITNESS_SQL = `
  SELECT current_user AS role,
         r.rolsuper AS superuser,
         r.rolbypassrls AS bypasses,
         EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                 WHERE n.nspname = 'idemdesk' AND c.relowner = r.oid)
           OR pg_has_role(r.oid, n.nspowner, 'MEMBER') AS owns,
         n.oid IS NOT NULL AS migrated
  FROM pg_roles AS r
  LEFT JOIN pg_namespace AS n ON n.nspname = 'idemdesk'
  WHERE r.rolname = current_user`;

/**
 * Refuses a database the web process must not or cannot serve from: unreachable, not migrated, or reached as a role
 * that row-level security does not bind (superuser, BYPASSRLS, or owner of the desk's tables).
 */
export async function refuseUnfitDatabase(url: string): Promise<void> {
  const fitness = await askFitness(url);
  if (!fitness.migrated) throw new StartError("The database has no schema idemdesk yet. Run: npm run migrate");
  const reason = unfitReason(fitness);
  if (reason) {
    throw new StartError(
      `DATABASE_URL connects as ${fitness.role}, which ${reason}: it would see every tenant. Use the role idemdesk_web.`,
    );
  }
}

async function askFitness(url: string): Promise<Fitness> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<Fitness>(FITNESS_SQL);
    if (rows[0]) return rows[0];
    throw new Error("the role is not listed");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The database of DATABASE_URL does not answer: ${reason}`, { cause });
  } finally {
    await client.end();
  }
}
