import { describeCaller } from "@/lib/access/account";
import { Me } from "@/lib/access/schema";
import { route } from "@/lib/http/route";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/me",
    summary: "Who asks, with roles, tenants and rights",
    right: "desk.use",
    output: Me,
  },
  ({ principal }) => describeCaller(principal),
);
