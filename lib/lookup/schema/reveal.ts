import { z } from "zod";
import { trimmed, withoutNul } from "@/lib/http/shapes";
import { Header } from "./key";

/** Why someone looks: kept in the audit for ever, so it has to say something. */
const Reason = z.string().trim().min(3).max(500).transform(withoutNul);

export const RevealInput = z.strictObject({
  what: z.enum(["key", "body", "headers"]),
  reason: Reason,
  /** `download` answers the body's bytes as an attachment; for `body` only. */
  as: z.enum(["view", "download"]).default("view"),
});

const RevealedKey = z.object({
  what: z.literal("key"),
  /** Exact text. */
  key: z.string(),
  /** The same with every invisible, bidirectional and control character escaped. */
  shown: z.string(),
});

const RevealedHeaders = z.object({ what: z.literal("headers"), headers: z.array(Header) });

export const RevealedBody = z.object({
  what: z.literal("body"),
  contentType: z.string().nullable(),
  /** How the bytes are shown; `none` where nothing was stored or it cannot be read, which `problem` explains. */
  view: z.enum(["json", "text", "hex", "none"]),
  text: z.string(),
  problem: z
    .enum(["not_stored", "opaque", "key_missing", "damaged", "too_large", "unknown_encoding", "masked"])
    .nullable(),
  /** Bytes as stored. */
  storedBytes: z.int(),
  /** Bytes and SHA-256 of the body after decryption and decoding; null where it was not decoded to its end. */
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** The view ends early. */
  truncated: z.boolean(),
  /** How many values were replaced for this reader. */
  maskedValues: z.int(),
  /** Whether this reader may download the bytes: never where values are masked. */
  downloadable: z.boolean(),
  /** The bytes in base64, for a download only; the API then answers them as an attachment. */
  base64: z.string().nullable(),
});

export const RevealAnswer = z.discriminatedUnion("what", [RevealedKey, RevealedBody, RevealedHeaders]);

export const NoteInput = z.strictObject({
  text: trimmed(4000),
  /** A link, or the ticket's name in your tracker. */
  ticket: trimmed(500).optional(),
});

export type RevealInput = z.output<typeof RevealInput>;
export type RevealAnswer = z.infer<typeof RevealAnswer>;
export type RevealedBody = z.infer<typeof RevealedBody>;
export type NoteInput = z.infer<typeof NoteInput>;
