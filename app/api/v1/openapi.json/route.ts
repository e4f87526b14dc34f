import { z } from "zod";
import { openApi } from "@/lib/http/openapi";
import { route } from "@/lib/http/route";
import { routes } from "./routes";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "This description, as OpenAPI 3.1",
    right: "desk.use",
    output: z.record(z.string(), z.unknown()),
  },
  () => openApi(routes),
);
