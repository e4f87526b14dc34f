/** Liveness: this process takes requests. Says nothing of the database, so that its outage restarts nobody. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}

export const dynamic = "force-dynamic";
