import { setTimeout as sleep } from 'node:timers/promises';

/** How often to look, in milliseconds: soon enough not to slow a test down, seldom enough not to be a load itself. */
const LOOK_EVERY_MS = 50;

/** Default patience, in milliseconds: a loaded machine is slow, a broken promise waits for ever. */
const DEADLINE_MS = 30_000;

/** How long to wait, and what to say about the state of things if it was in vain. */
export interface UntilOptions {
  deadlineMs?: number;
  describe?: () => unknown;
}

/**
 * Waits until `probe` answers something other than `undefined` and `false`, and returns that.
 *
 * @param what completes the sentence "Waited 30 s in vain until ..."
 * @throws when the deadline passes; what `probe` throws
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
    await sleep(LOOK_EVERY_MS);
  }
}

function render(state: unknown): string {
  return typeof state === 'string' ? state : JSON.stringify(state, undefined, 2);
}
