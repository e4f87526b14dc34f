/** Tells the person at the terminal what is going on: one line a step, with its seconds when it has ended. */
export interface Progress {
  /** Runs `work` as one step; `note` replaces what stands behind the label meanwhile. */
  step<T>(label: string, work: (note: (text: string) => void) => Promise<T>): Promise<T>;
  /** A line by itself. */
  say(text: string): void;
}

/** Progress on a stream; notes are drawn only on a terminal, so that a log keeps one line a step. */
export function progressOn(stream: Pick<NodeJS.WriteStream, "write" | "isTTY">): Progress {
  return {
    say: (text) => void stream.write(`${text}\n`),
    async step(label, work) {
      const started = performance.now();
      stream.write(`  ${label} …`);
      const note = (text: string) => {
        if (stream.isTTY) stream.write(`\r\x1b[K  ${label} … ${text}`);
      };
      try {
        const result = await work(note);
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        stream.write(stream.isTTY ? `\r\x1b[K  ${label}  ${seconds} s\n` : ` ${seconds} s\n`);
        return result;
      } catch (error) {
        stream.write("\n");
        throw error;
      }
    },
  };
}
