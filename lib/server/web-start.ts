import "server-only";
import { readiness } from "./health";

/**
 * Ends a web process whose role row-level security does not bind: it would show every tenant to everybody. A database
 * that does not answer yet ends nothing; until it does there is nothing to show, and /readyz says so.
 */
export async function refuseUnboundRole(): Promise<void> {
  const { checks } = await readiness();
  const role = checks.find(({ name }) => name === "role");
  if (role === undefined || role.ok) return;
  process.stderr.write(`${role.detail} DATABASE_URL has to connect as a role like idemdesk_web.\n`);
  process.exit(1);
}
