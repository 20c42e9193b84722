import { setTimeout as sleep } from 'node:timers/promises';
import type { TransferOptions } from '../store.ts';
import type { Operation } from './operation.ts';

/** With a limit, data is sent in slices of a second's amount, so that players do not notice. */
const SLICES_PER_SECOND = 20;

/** Passes on the chunks of a transfer, counted, and at most as fast as the limit. */
export async function* paced(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { onProgress, bytesPerSecond = Number.POSITIVE_INFINITY }: Pick<TransferOptions, 'onProgress' | 'bytesPerSecond'>,
  { signal, moved }: Operation,
): AsyncGenerator<Uint8Array, void, undefined> {
  const slice = Math.ceil(bytesPerSecond / SLICES_PER_SECOND);
  let free = performance.now();
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += slice) {
      signal.throwIfAborted();
      const part = chunk.length <= slice ? chunk : chunk.subarray(start, start + slice);
      const now = performance.now();
      if (free > now) await sleep(free - now, undefined, { signal });
      // Unused time is lost: no burst after a pause.
      free = Math.max(free, now) + (part.length / bytesPerSecond) * 1000;
      moved();
      yield part;
      onProgress(part.length);
    }
  }
}
