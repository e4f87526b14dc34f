import { writeRoute } from "@/lib/http/route";
import { releaseCharge } from "@/lib/sandbox/commands";
import { ChargeId, Released } from "@/lib/sandbox/schema";

export const POST = writeRoute(
  {
    method: "POST",
    path: "/api/sandbox/v1/ledger/{id}/release",
    summary: "Lets the provider be asked about a held charge again; embedded default only",
    right: "settings.change",
    params: ChargeId,
    output: Released,
  },
  ({ tx, scope, actor, params }) => releaseCharge(tx, scope, actor, params.id),
);
