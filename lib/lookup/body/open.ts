import "server-only";
import { isSealed, openBody } from "@/lib/idempotency/response/envelope";
import { bodyKeyRing } from "@/lib/privacy/key-ring";
import type { Profile } from "../rules/model";
import type { RevealedBody } from "../schema";

export type BodyProblem = NonNullable<RevealedBody["problem"]>;

/** A stored body as its service wrote it, or why it cannot be had. */
export type Opened = { bytes: Buffer; problem: null } | { bytes: null; problem: BodyProblem };

interface Sealed {
  tenantId: string;
  endpoint: string;
  key: string;
  body: Uint8Array;
}

/** Undoes what the service did to keep the body. A row older than the seal holds its body as it was. */
export function openStored({ tenantId, endpoint, key, body }: Sealed, codec: Profile["bodyCodec"]): Opened {
  if (codec === "opaque") return { bytes: null, problem: "opaque" };
  if (codec === "plain" || !isSealed(body)) return { bytes: Buffer.from(body), problem: null };
  const ring = bodyKeyRing();
  if (!ring || !Object.hasOwn(ring.keys, keyIdOf(body))) return { bytes: null, problem: "key_missing" };
  try {
    return { bytes: openBody(body, ring, { tenant: tenantId, endpoint, key }), problem: null };
  } catch {
    // Authentication failed, or the content would not inflate: a changed byte, a moved row.
    return { bytes: null, problem: "damaged" };
  }
}

/** The key id an `envelope-v1` names: after magic and flags, led by its length. */
function keyIdOf(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  return bytes.toString("utf8", 6, 6 + (bytes[5] ?? 0));
}
