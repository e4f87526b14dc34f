/** The most an endpoint may keep inline, of uncompressed bytes; the default is a quarter of it. */
export const maxBodyBytes = 256 * 1024;
export const defaultBodyBytes = 64 * 1024;

/** The largest request body that is read for its fingerprint. */
export const defaultRequestBytes = 1024 * 1024;
