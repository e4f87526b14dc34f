/** Headers every stored response keeps. */
export const alwaysKept = ["content-type", "location", "etag", "content-language"];

/** Cookies, credentials, framing and our own marks: never stored, and never replayed from another writer's row. */
const neverKept =
  /^(set-cookie|www-authenticate|authorization|authentication-info|proxy-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|content-length|content-encoding|idempotency-.*|idempotent-.*)$/;

export function mayKeep(name: string): boolean {
  return !neverKept.test(name.toLowerCase());
}

/** Refuses, at start-up, to keep a header that must not reach another request. */
export function checkKeptHeaders(names: readonly string[]): void {
  const refused = names.find((name) => !mayKeep(name));
  if (refused) throw new RangeError(`Header ${refused} must not be stored for replays`);
}
