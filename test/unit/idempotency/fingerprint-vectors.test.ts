import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fingerprint } from "@/lib/idempotency/fingerprint/fingerprint";
import { parsePointers } from "@/lib/idempotency/fingerprint/pointer";
import { NotCanonicalizable } from "@/lib/idempotency/fingerprint/refusal";

/** The published vectors, made by an independent implementation: any other one must agree with them. */
interface Vector {
  name: string;
  method: string;
  path: string;
  query: string;
  tenant: string;
  principal?: string;
  contentType: string;
  contentEncoding?: string;
  body: string | null;
  volatile?: string[];
  raw?: boolean;
  sameAs?: string;
  digest?: string;
  refused?: string;
}

const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync("test/vectors/fingerprint.json", "utf8"));

function outcome({ body, volatile = [], raw = false, ...request }: Vector): string {
  try {
    const bytes = body === null ? null : Buffer.from(body, "base64");
    return fingerprint({ ...request, body: bytes }, { volatile: parsePointers(volatile), raw }).toString("hex");
  } catch (error) {
    if (error instanceof NotCanonicalizable) return error.rule;
    throw error;
  }
}

describe("fingerprint version 1", () => {
  test.each(vectors)("$name", (vector) => {
    expect(outcome(vector)).toBe(vector.digest ?? vector.refused);
  });

  test("only the vectors that say so are equal", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(120);
    const originals = vectors.filter(({ digest, sameAs }) => digest && !sameAs);
    expect(new Set(originals.map(outcome)).size).toBe(originals.length);
    for (const { sameAs, digest } of vectors.filter((vector) => vector.sameAs)) {
      expect(vectors.find(({ name }) => name === sameAs)?.digest).toBe(digest);
    }
  });
});
