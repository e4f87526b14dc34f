const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a cookie's request may change something: only where a page of the desk sent it. SameSite does not stop a
 * sibling host, so the Origin header decides; a missing, foreign, `null` or malformed one counts alike as foreign.
 */
export function isOwnOrigin(request: Request, deskAddress: string | undefined): boolean {
  if (safe.has(request.method)) return true;
  const origin = parseOrigin(request.headers.get("origin"));
  return origin !== null && ownOrigins(request, deskAddress).includes(origin);
}

/** The desk's configured address, and the host it was reached by under the same scheme. */
function ownOrigins(request: Request, deskAddress: string | undefined): (string | null)[] {
  const scheme = deskAddress?.startsWith("https:") ? "https" : "http";
  const host = request.headers.get("host");
  return [parseOrigin(deskAddress ?? null), host === null ? null : parseOrigin(`${scheme}://${host}`)].filter(
    (origin) => origin !== null,
  );
}

/** Scheme, host and port of an address in their one spelling; null where it is none. */
export function parseOrigin(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { origin, protocol } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? origin : null;
}

/**
 * Where to go after signing in: a path of the desk, never another site; `/` for anything else. A path that begins with
 * two slashes, as dot segments can leave one, would be read as a host by whoever resolves it next.
 */
export function ownPath(address: string | null, deskAddress: string): string {
  const base = new URL(deskAddress);
  if (address === null || !URL.canParse(address, base)) return "/";
  const target = new URL(address, base);
  if (target.origin !== base.origin || target.pathname.startsWith("//")) return "/";
  return `${target.pathname}${target.search}${target.hash}`;
}
