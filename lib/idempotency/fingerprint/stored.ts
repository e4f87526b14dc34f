const digestBytes = 32;

/** Version 1 is stored as its bare 32 bytes; later versions put one byte before them. Null for anything else. */
export function storedVersion(stored: Uint8Array): number | null {
  if (stored.length === digestBytes) return 1;
  return stored.length === digestBytes + 1 ? (stored[0] ?? null) : null;
}

/**
 * Compares a stored fingerprint with a request's by the stored one's own version.
 * Null when that version is not one we can compute: a newer release wrote the row, and a guess could run twice.
 */
export function sameFingerprint(stored: Uint8Array, request: Map<number, Uint8Array>): boolean | null {
  const version = storedVersion(stored);
  const digest = version === null ? undefined : request.get(version);
  return digest === undefined ? null : Buffer.compare(stored.subarray(-digestBytes), digest) === 0;
}
