import { setTimeout as delay } from 'node:timers/promises';
import { backOffDelay } from '../../shared/domain/back-off.ts';

/** A lost peer is usually back within a second. */
const RETRY = { firstMs: 50, maxMs: 2_000 };

export interface FollowOptions<T> {
  subscribe: (signal: AbortSignal) => AsyncIterable<T>;
  onItem: (item: T) => void;
  /** Called when the stream ended or failed. It subscribes again afterwards. */
  onLost?: (error: unknown) => void;
  /** Returns true for a failure that cannot be retried; following ends. */
  isFinal?: (error: unknown) => boolean;
}

/** Reads a stream, and subscribes again whenever it is lost. Returns a function that stops following. */
export function follow<T>({ subscribe, onItem, onLost, isFinal }: FollowOptions<T>): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  async function run(): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      let failure: unknown;
      try {
        for await (const item of subscribe(signal)) {
          if (signal.aborted) return;
          failures = 1;
          onItem(item);
        }
      } catch (error) {
        failure = error;
      }
      if (signal.aborted) return;
      onLost?.(failure);
      if (isFinal?.(failure)) return;
      // Rejects only when aborted, which the loop checks.
      await delay(backOffDelay(RETRY, failures, Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }
  void run();
  return () => controller.abort();
}
