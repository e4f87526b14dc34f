import { z } from "zod";
import { writeRoute } from "@/lib/http/route";
import { changeView, deleteView } from "@/lib/views/commands";
import { View, ViewChange } from "@/lib/views/schema";

const path = "/api/v1/views/{id}";
const params = z.strictObject({ id: z.guid() });

export const PATCH = writeRoute(
  {
    method: "PATCH",
    path,
    summary: "Change one's own view",
    right: "desk.use",
    params,
    input: ViewChange,
    output: View,
  },
  ({ tx, actor, params, input }) => changeView(tx, actor, params.id, input),
);

export const DELETE = writeRoute(
  { method: "DELETE", path, summary: "Delete one's own view", right: "desk.use", params, output: View },
  ({ tx, actor, params }) => deleteView(tx, actor, params.id),
);
