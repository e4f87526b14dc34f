/**
 * What a page's answer tells the browser. Scripts run with this answer's nonce only, nobody may frame the page, and no
 * cache keeps it. Style attributes stay allowed: charts and virtual lists place things by them, and they run nothing.
 */
export function securityHeaders(nonce: string, { development }: { development: boolean }) {
  const policy = {
    "default-src": "'self'",
    // Without 'strict-dynamic' a script the bundle loads would need the nonce as well. React's tools evaluate strings.
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return {
    "Content-Security-Policy": Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  } as const;
}
