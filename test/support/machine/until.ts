import { setTimeout as sleep } from 'node:timers/promises';

/** Often enough not to slow tests down, but without much CPU load. Milliseconds. */
const POLL_MS = 50;

/** Long enough for a loaded machine. Milliseconds. */
const DEADLINE_MS = 90_000;

export interface UntilOptions {
  deadlineMs?: number;
  describe?: () => unknown;
}

/**
 * Waits until `probe` returns something other than `undefined` and `false`, and resolves to that. `what` completes the sentence "Waited 90
 * s in vain until …". Throws if the deadline passes, with the result of `describe`; also throws what `probe` throws.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { deadlineMs = DEADLINE_MS, describe }: UntilOptions = {},
): Promise<Exclude<Awaited<T>, false | undefined>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found as Exclude<Awaited<T>, false | undefined>;
    if (performance.now() > deadline) {
      const state = await describe?.();
      throw new Error(
        `Waited ${deadlineMs / 1000} s in vain until ${what}${state === undefined ? '' : `; instead:\n${render(state)}`}`,
      );
    }
    await sleep(POLL_MS);
  }
}

function render(state: unknown): string {
  return typeof state === 'string' ? state : JSON.stringify(state, undefined, 2);
}
