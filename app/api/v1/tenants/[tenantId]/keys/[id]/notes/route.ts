import { writeRoute } from "@/lib/http/route";
import { KeyParams, ofTenant } from "@/lib/lookup/addresses";
import { addNote } from "@/lib/lookup/commands";
import { Note, NoteInput } from "@/lib/lookup/schema";

export const POST = writeRoute(
  {
    method: "POST",
    path: "/api/v1/tenants/{tenantId}/keys/{id}/notes",
    summary: "Note something on an operation, with a ticket if there is one",
    right: "keys.note",
    status: 201,
    params: KeyParams,
    input: NoteInput,
    output: Note,
    tenant: ofTenant,
  },
  ({ params, input, ...doer }) => addNote(doer, params, input),
);
