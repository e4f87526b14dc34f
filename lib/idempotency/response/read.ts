/** A body read up to a limit. `rest` is the whole body again, still to be streamed, when it was longer. */
export type LimitedBody = { bytes: Buffer; rest: null } | { bytes: null; rest: ReadableStream<Uint8Array> };

/** Reads a stream into memory up to `limit` bytes, never more than one chunk past it. */
export async function readLimited(stream: ReadableStream<Uint8Array>, limit: number): Promise<LimitedBody> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= limit; ) {
    const { value, done } = await reader.read();
    if (done) return { bytes: Buffer.concat(chunks), rest: null };
    chunks.push(value);
    size += value.length;
  }
  return { bytes: null, rest: resume(chunks, reader) };
}

function resume(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift() ?? (await reader.read()).value;
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
