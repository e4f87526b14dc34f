import "server-only";
import { createHmac, hkdfSync } from "node:crypto";
import type { KeyRing } from "@/lib/idempotency";

/**
 * What an event keeps of a customer: an opaque id as it is; an e-mail address as a keyed hash, the same for every
 * spelling within a tenant and another in each tenant. Null for an address where no key is configured: raw it is never
 * kept.
 */
export function keptCustomer(ring: KeyRing | null, tenantId: string, customer: string): string | null {
  const address = addressIn(customer);
  if (address === null) return customer;
  return ring === null ? null : pseudonym(ring, ring.current, tenantId, address);
}

/**
 * Everything `keptCustomer` may have made of a customer, to look for: an address has one hash for each key of the ring,
 * since events outlive a change of keys. Empty where it cannot be looked for.
 */
export function customerNames(ring: KeyRing | null, tenantId: string, customer: string): string[] {
  const address = addressIn(customer);
  if (address === null) return [customer];
  return ring === null ? [] : Object.keys(ring.keys).map((id) => pseudonym(ring, id, tenantId, address));
}

/**
 * The e-mail address a text holds, in one spelling; null where it holds none. Whatever has an `@` counts as an address:
 * an id taken for one is hashed and still found, an address taken for an id would be kept.
 */
function addressIn(customer: string): string | null {
  const text = customer.normalize("NFKC").trim().toLowerCase();
  if (!text.includes("@")) return null;
  return /[^\s<>()[\],;:"]+@[^\s<>()[\],;:"]+/.exec(text)?.[0] ?? text;
}

/** Says which key made it, so that it is known what goes blind when a key is dropped. */
function pseudonym(ring: KeyRing, id: string, tenantId: string, address: string): string {
  const hash = createHmac("sha256", derived(ring.keys[id])).update(`${tenantId.toLowerCase()}\n${address}`);
  return `email:${id}:${hash.digest("base64url")}`;
}

/** A key of its own, so that a hash can never tell anything of a sealed body. */
function derived(key: Uint8Array | undefined): Uint8Array {
  if (key === undefined) throw new RangeError("The ring's current key is not in it");
  return new Uint8Array(hkdfSync("sha256", key, "", "idemdesk customer", 32));
}
