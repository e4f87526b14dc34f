/** Why a request cannot be fingerprinted. */
export type RefusalRule =
  | "invalid_utf8"
  | "invalid_json"
  | "duplicate_member"
  | "unpaired_surrogate"
  | "number_too_precise"
  | "number_out_of_range"
  | "too_deep"
  | "invalid_multipart"
  | "content_encoding"
  | "unreadable";

/** The typed 400 of a body that has no canonical form. Carries a rule, never a piece of the body. */
export class NotCanonicalizable extends Error {
  override readonly name = "NotCanonicalizable";

  constructor(
    readonly rule: RefusalRule,
    /** Where in the body, as a byte or character offset. Null where the whole body is meant. */
    readonly offset: number | null = null,
  ) {
    super(offset === null ? rule : `${rule} at ${offset}`);
  }
}
