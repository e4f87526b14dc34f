/** Next.js runs this once, before a server process takes its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || !process.env.DATABASE_URL) return;
  const { endUnboundProcess } = await import("@/lib/server/web-role");
  await endUnboundProcess(process.env.DATABASE_URL);
}
