/** Set by the proxy on every page request, because a server component is not told its own address. */
export const PAGE_PATH_HEADER = "x-idemdesk-path";
