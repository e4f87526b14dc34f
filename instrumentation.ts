/** Next.js runs this once, before a server process takes its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { refuseUnboundRole } = await import("@/lib/server/web-start");
  await refuseUnboundRole();
}
