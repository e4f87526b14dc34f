import "server-only";
import { createHash } from "node:crypto";
import type { Secrets } from "../queries/stored";
import { viewBody } from "../rules/body-view";
import { headerValue } from "../rules/headers";
import type { KeyRow, Profile } from "../rules/model";
import type { RevealedBody, RevealInput } from "../schema";
import { type Decoded, decodeBody } from "./decode";
import { type BodyProblem, openStored } from "./open";

interface RevealOptions {
  profile: Pick<Profile, "bodyCodec" | "maskedPointers">;
  /** This reader sees secrets inside the body masked, and does not get its bytes. */
  mask: boolean;
  as: RevealInput["as"];
}

/** A stored body opened, decoded and shown; where that fails, why. */
export async function revealBody(
  row: Pick<KeyRow, "tenantId" | "endpoint">,
  secrets: Secrets,
  { profile, mask, as }: RevealOptions,
): Promise<RevealedBody> {
  const decoded = await open(row, secrets, profile.bodyCodec);
  const shared = {
    what: "body" as const,
    contentType: headerValue(secrets.headers, "content-type"),
    storedBytes: secrets.bytes,
  };
  if (decoded.bytes === null) return { ...shared, ...nothing, problem: decoded.problem };
  const { bytes } = decoded;
  const view = viewBody(bytes, { mask, pointers: profile.maskedPointers });
  return {
    ...shared,
    ...view,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    downloadable: !mask,
    base64: as === "download" && !mask ? bytes.toString("base64") : null,
  };
}

const nothing = {
  view: "none" as const,
  text: "",
  bytes: null,
  sha256: null,
  truncated: false,
  maskedValues: 0,
  downloadable: false,
  base64: null,
};

async function open(
  { tenantId, endpoint }: Pick<KeyRow, "tenantId" | "endpoint">,
  { key, headers, body, bytes }: Secrets,
  codec: Profile["bodyCodec"],
): Promise<Decoded> {
  if (body === null) return failed(bytes > 0 ? "too_large" : "not_stored");
  const opened = openStored({ tenantId, endpoint, key, body }, codec);
  return opened.bytes === null ? opened : decodeBody(opened.bytes, headerValue(headers, "content-encoding"));
}

function failed(problem: BodyProblem): Decoded {
  return { bytes: null, problem };
}
