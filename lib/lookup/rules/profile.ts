import type { Profile } from "./model";

/** What holds where nobody declared anything: nothing is known, and time bounds are the documented defaults. */
export const undeclared: Profile = {
  pattern: "*",
  assumedLeaseMs: 60_000,
  twinWindowMs: 900_000,
  bodyCodec: "plain",
  onInProgress: null,
  onExpiredLease: null,
  onCompleted: null,
  onExpired: null,
  onFailed: null,
  onUnknown: null,
  maskedPointers: [],
};

/** The profile declared for an endpoint: by its exact name, else by the longest pattern that ends in `*`. */
export function profileFor(endpoint: string, profiles: readonly Profile[]): Profile {
  const exact = profiles.find(({ pattern }) => pattern === endpoint);
  const wild = profiles
    .filter(({ pattern }) => pattern.endsWith("*") && endpoint.startsWith(pattern.slice(0, -1)))
    .sort((a, b) => b.pattern.length - a.pattern.length);
  return exact ?? wild[0] ?? undeclared;
}
