import { route } from "@/lib/http/route";
import { readCredentials } from "@/lib/sandbox/queries";
import { Credentials } from "@/lib/sandbox/schema";

export const GET = route(
  {
    method: "GET",
    path: "/api/v1/sandbox/credentials",
    summary: "API keys of the sandbox's tenants, the largest first; embedded default only",
    right: "settings.change",
    output: Credentials,
  },
  ({ scope }) => readCredentials(scope),
);
