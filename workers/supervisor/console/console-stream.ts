/** Bytes that wait for a slow viewer. One that is further behind gets the missing lines from the ring and the log file. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface BatchSource {
  /** Calls `listener` with each new encoded batch. Returns a function that removes the listener. */
  onBatch(listener: (batch: Uint8Array) => void): () => void;
}

/**
 * Yields new batches to one viewer. If it is too slow, batches are dropped rather than piled up; the viewer notices the gap in the sequence
 * numbers and reads the missing lines (`readConsole`).
 */
export async function* followConsole(source: BatchSource, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let resume: (() => void) | undefined;
  const wake = () => resume?.();
  const stop = source.onBatch((batch) => {
    if (bytes + batch.byteLength > MAX_WAITING_BYTES) {
      waiting = [];
      bytes = 0;
    }
    waiting.push(batch);
    bytes += batch.byteLength;
    wake();
  });
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const batch = waiting.shift();
      if (batch) {
        bytes -= batch.byteLength;
        yield batch;
      } else {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
    }
  } finally {
    stop();
    signal.removeEventListener('abort', wake);
  }
}
