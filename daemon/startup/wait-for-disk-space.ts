import { setTimeout as delay } from 'node:timers/promises';
import { isDiskFull } from '../../shared/errors/disk-full.ts';

/** An attempt takes a fifth of a second of CPU time. Milliseconds. */
const TRY_EVERY_MS = 5_000;

export interface DiskSpaceOptions {
  /** Shows a text at the terminal. */
  print: (text: string) => void;
  tryEveryMs?: number;
}

/**
 * Runs `run`, and repeats it while it fails because the disk is full: a service manager would give up, and running servers need a daemon as
 * soon as possible. After `run` has called `onReady`, every failure is thrown.
 */
export async function waitForDiskSpace(
  run: (onReady: () => void) => Promise<void>,
  { print, tryEveryMs = TRY_EVERY_MS }: DiskSpaceOptions,
): Promise<void> {
  let isReady = false;
  for (let hasPrinted = false; ; hasPrinted = true) {
    try {
      return await run(() => {
        isReady = true;
      });
    } catch (error) {
      if (isReady || !failedForDiskSpace(error)) throw error;
      if (!hasPrinted)
        print(
          'The disk that holds the data directory is full.\nFree some space. Gamekeeper then starts automatically; servers that are running keep running.',
        );
    }
    await delay(tryEveryMs);
  }
}

function failedForDiskSpace(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause));
}
