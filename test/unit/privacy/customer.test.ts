import { describe, expect, test } from "vitest";
import type { KeyRing } from "@/lib/idempotency";
import { customerNames, keptCustomer } from "@/lib/privacy/customer";

const A = "00000000-0000-4000-8000-00000000000a";
const B = "00000000-0000-4000-8000-00000000000b";
const key = (byte: number) => new Uint8Array(32).fill(byte);
const ring: KeyRing = { current: "k2", keys: { k2: key(2), k1: key(1) } };
const older: KeyRing = { current: "k1", keys: { k1: key(1) } };

test("an opaque id is kept as it is, with keys or without", () => {
  for (const id of ["cus_1", " Cus_1", "客户", "a\u200bb"]) {
    expect(keptCustomer(ring, A, id)).toBe(id);
    expect(keptCustomer(null, A, id)).toBe(id);
    expect(customerNames(null, A, id)).toEqual([id]);
  }
});

describe("an e-mail address", () => {
  const kept = keptCustomer(ring, A, "kim@example.com");

  test.each([
    "KIM@Example.COM",
    "  kim@example.com\n",
    "Kim Doe <kim@example.com>",
    "mailto:kim@example.com",
    "kim\uff20example.com",
  ])("is one hash however it is spelled: %j", (spelled) => {
    expect(keptCustomer(ring, A, spelled)).toBe(kept);
  });

  test.each(["kim@example.com", "@", "kim@", "a@b@c", "acct 12 @ shop"])("is never kept raw: %j", (spelled) => {
    expect(keptCustomer(ring, A, spelled)).toMatch(/^email:k2:[A-Za-z0-9_-]{43}$/);
  });

  test("is not kept at all where no key is configured, and cannot be looked for", () => {
    expect(keptCustomer(null, A, "kim@example.com")).toBeNull();
    expect(customerNames(null, A, "kim@example.com")).toEqual([]);
  });

  test("means nothing to another tenant, and nothing beside another address", () => {
    expect(keptCustomer(ring, B, "kim@example.com")).not.toBe(kept);
    expect(keptCustomer(ring, A, "lee@example.com")).not.toBe(kept);
    expect(keptCustomer(ring, A.toUpperCase(), "kim@example.com")).toBe(kept);
  });

  test("is found under every key it may have been kept by", () => {
    const before = keptCustomer(older, A, "kim@example.com");
    expect(customerNames(ring, A, "Kim@example.com")).toEqual([kept, before]);
  });
});
