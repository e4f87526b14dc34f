import { z } from "zod";
import { listOf } from "@/lib/http/paging";
import { route, writeRoute } from "@/lib/http/route";
import { saveView } from "@/lib/views/commands";
import { listViews } from "@/lib/views/queries";
import { NewView, View, ViewPage } from "@/lib/views/schema";

const path = "/api/v1/views";

export const GET = route(
  {
    method: "GET",
    path,
    summary: "One's own views and the shared ones",
    right: "desk.use",
    query: z.strictObject({ page: ViewPage.optional() }),
    output: listOf(View),
  },
  async ({ scope, query }) => ({ items: await listViews(scope, query.page), nextCursor: null }),
);

export const POST = writeRoute(
  {
    method: "POST",
    path,
    summary: "Save a view",
    right: "desk.use",
    caller: "person",
    input: NewView,
    output: View,
    status: 201,
  },
  ({ tx, actor, principal, input }) => saveView(tx, actor, principal.id, input),
);
