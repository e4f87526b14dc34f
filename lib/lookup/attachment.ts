import "server-only";
import { z } from "zod";
import type { Route } from "@/lib/http/route";

const Download = z.object({ what: z.literal("body"), base64: z.string() });

/**
 * The route with a downloaded body answered as a file. Bytes as they were stored could be anything, so a browser is
 * told to save them and never to guess what they are.
 */
export function withAttachment(route: Route): Route {
  const handle = async (...[request, context]: Parameters<Route>) => {
    const answer = await route(request, context);
    const download = answer.ok ? Download.safeParse(await answer.clone().json()) : null;
    if (!download?.success) return answer;
    const headers = new Headers(answer.headers);
    headers.set("Content-Type", "application/octet-stream");
    headers.set("Content-Disposition", 'attachment; filename="body.bin"');
    headers.set("X-Content-Type-Options", "nosniff");
    headers.delete("Content-Length");
    return new Response(Buffer.from(download.data.base64, "base64"), { status: answer.status, headers });
  };
  return Object.assign(handle, { definition: route.definition, keyed: route.keyed });
}
