import { setTimeout as delay } from 'node:timers/promises';
import { backOffDelay } from '../../shared/domain/back-off.ts';

/** A lost peer is usually back within a second; nobody waits longer than this for a stream to come back. */
const RETRY = { firstMs: 50, maxMs: 2_000 };

export interface FollowOptions<T> {
  subscribe: (signal: AbortSignal) => AsyncIterable<T>;
  onItem: (item: T) => void;
  /** The stream ended or failed; it is subscribed anew after this. */
  onLost?: (error: unknown) => void;
  /** True for a failure that no repetition mends; following ends. */
  isFinal?: (error: unknown) => boolean;
}

/** Reads a stream for as long as it is wanted, subscribing anew whenever it is lost. Returns how to stop. */
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
        // Reported below, like an end without an error.
        failure = error;
      }
      if (signal.aborted) return;
      onLost?.(failure);
      if (isFinal?.(failure)) return;
      // Aborting is the only way for this to reject, and the loop's condition sees it.
      await delay(backOffDelay(RETRY, failures, Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }
  void run();
  return () => controller.abort();
}
