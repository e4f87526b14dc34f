/** One figure, both sides of it, and the most (for a rate: the least) their ratio may be; null where none is set. */
export interface Figure {
  figure: string;
  ours: number;
  bare: number;
  unit: "ms" | "1/s";
  goal: number | null;
}

/**
 * Takes turns, so that whatever else the machine does falls on every side alike. Answers each side's median, in ms.
 */
export async function alternate(sides: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const warmUp = Math.ceil(rounds / 5);
  const times = sides.map((): number[] => []);
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const started = performance.now();
      await side();
      if (round >= warmUp) times[index]?.push(performance.now() - started);
    }
  }
  return times.map((own) => own.sort((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0);
}
