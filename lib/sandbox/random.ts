import { createCipheriv, createHash, randomBytes } from "node:crypto";

const BLOCK = Buffer.alloc(65_536);

/** Chance as the sandbox's clients need it, over any stream of random bytes. */
export class Random {
  constructor(private readonly stream: (length: number) => Buffer) {}

  bytes(length: number): Buffer {
    return this.stream(length);
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.bytes(4).readUInt32BE() / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** From `min` to `max`, every order of magnitude equally likely: how money and company sizes are spread. */
  logarithmic(min: number, max: number): number {
    return min * (max / min) ** this.fraction();
  }

  /** One of `items`, each equally likely; throws RangeError where there is none. */
  pick<T>(items: readonly T[]): T {
    return atLeastOne(items[this.integer(0, items.length - 1)]);
  }

  /** One of `items` in proportion to `weight`; throws RangeError where there is none. */
  weighted<T extends { weight: number }>(items: readonly T[]): T {
    let left = this.fraction() * items.reduce((sum, { weight }) => sum + weight, 0);
    const chosen = items.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    return atLeastOne(chosen ?? items.at(-1));
  }
}

function atLeastOne<T>(item: T | undefined): T {
  if (item === undefined) throw new RangeError("Nothing to choose from");
  return item;
}

/** The same chances for the same seed, on every machine: the key stream of AES-256-CTR under the seed's hash. */
export function seededRandom(seed: string): Random {
  const cipher = createCipheriv("aes-256-ctr", createHash("sha256").update(seed).digest(), Buffer.alloc(16));
  let block = Buffer.alloc(0);
  return new Random((length) => {
    while (block.length < length) block = Buffer.concat([block, cipher.update(BLOCK)]);
    const taken = block.subarray(0, length);
    block = block.subarray(length);
    return taken;
  });
}

/** Real chance, for traffic that must not repeat itself after a restart. */
export function systemRandom(): Random {
  return new Random((length) => randomBytes(length));
}
