import { setTimeout as sleep } from 'node:timers/promises';
import type { TransferOptions } from '../store.ts';
import type { Conversation } from './conversation.ts';

/** What goes out at once under a limit, as a part of a second: small enough that players do not feel it. */
const SLICES_PER_SECOND = 20;

/** Hands on the chunks of a transfer, counted, and no faster than the limit. */
export async function* paced(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { onProgress, bytesPerSecond = Number.POSITIVE_INFINITY }: Pick<TransferOptions, 'onProgress' | 'bytesPerSecond'>,
  { signal, moved }: Conversation,
): AsyncGenerator<Uint8Array, void, undefined> {
  const slice = Math.ceil(bytesPerSecond / SLICES_PER_SECOND);
  let free = performance.now();
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += slice) {
      signal.throwIfAborted();
      const part = chunk.length <= slice ? chunk : chunk.subarray(start, start + slice);
      const now = performance.now();
      if (free > now) await sleep(free - now, undefined, { signal });
      // What was not used in the past is lost: no burst after a pause.
      free = Math.max(free, now) + (part.length / bytesPerSecond) * 1000;
      moved();
      yield part;
      onProgress(part.length);
    }
  }
}
