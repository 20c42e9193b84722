import { setTimeout as delay } from 'node:timers/promises';
import { isDiskFull } from '../../shared/errors/disk-full.ts';

/** Asking costs a fifth of a second of a processor. Milliseconds. */
const TRY_EVERY_MS = 5_000;

export interface RoomOptions {
  /** Tells the person at the terminal, once. */
  say: (text: string) => void;
  tryEveryMs?: number;
}

/**
 * Runs what may find the disk full at its start, again until it does not: a service manager would give up on it, and servers that run want to
 * be looked after as soon as that can be. Once `run` has said that it is ready, what goes wrong is thrown.
 */
export async function waitForDiskSpace(
  run: (onReady: () => void) => Promise<void>,
  { say, tryEveryMs = TRY_EVERY_MS }: RoomOptions,
): Promise<void> {
  let isReady = false;
  for (let said = false; ; said = true) {
    try {
      return await run(() => {
        isReady = true;
      });
    } catch (error) {
      if (isReady || !failedForDiskSpace(error)) throw error;
      if (!said)
        say(
          'The disk that holds the data directory is full.\nFree some space on it: then Gamekeeper starts by itself. Servers that run go on meanwhile.',
        );
    }
    await delay(tryEveryMs);
  }
}

function failedForDiskSpace(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause));
}
