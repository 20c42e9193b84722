/** A follower that is further behind than this reads on from the ring and the log file, where everything is. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface BatchSource {
  /** Calls `listener` with each new encoded batch. Returns how to stop it. */
  onBatch(listener: (batch: Uint8Array) => void): () => void;
}

/**
 * Live batches for one follower, from now on. One that takes them too slowly misses some, which it sees from their sequence numbers;
 * it never makes them pile up here.
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
