import { readiness } from "@/lib/server/health";

/** Readiness with each dependency; 503 while one of them fails. Needs no sign-in and tells nothing of the data. */
export async function GET(): Promise<Response> {
  const { ready, checks } = await readiness();
  return Response.json(
    { status: ready ? "ready" : "not_ready", checks },
    { status: ready ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

export const dynamic = "force-dynamic";
