import { writeRoute } from "@/lib/http/route";
import { KeyParams, ofTenant } from "@/lib/lookup/addresses";
import { withAttachment } from "@/lib/lookup/attachment";
import { revealKey } from "@/lib/lookup/commands";
import { RevealAnswer, RevealInput } from "@/lib/lookup/schema";

export const POST = withAttachment(
  writeRoute(
    {
      method: "POST",
      path: "/api/v1/tenants/{tenantId}/keys/{id}/reveal",
      summary: "Show the key, the headers or the body of one operation; audited with its reason",
      right: "keys.reveal",
      limit: "reveal",
      store: "never",
      params: KeyParams,
      input: RevealInput,
      output: RevealAnswer,
      tenant: ofTenant,
    },
    ({ params, input, ...doer }) => revealKey(doer, params, input),
  ),
);
