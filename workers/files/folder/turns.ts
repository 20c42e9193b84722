import { setImmediate as nextTurn } from 'node:timers/promises';

/** For how long a large folder may keep other requests waiting, milliseconds. */
const TURN_MS = 5;

/** Gives other requests a turn every few milliseconds. `next` throws once the signal fires. */
export function createTurns(signal: AbortSignal): { next(): Promise<void> | undefined } {
  let begun = performance.now();
  return {
    next() {
      if (performance.now() - begun < TURN_MS) return undefined;
      return nextTurn().then(() => {
        signal.throwIfAborted();
        begun = performance.now();
      });
    },
  };
}
