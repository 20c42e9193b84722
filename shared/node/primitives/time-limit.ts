import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Script } from 'node:vm';

/** Where the script finds the work: a script has no arguments. */
const WORK = Symbol.for('gamekeeper.time-limited-work');
const script = new Script(`globalThis[Symbol.for('gamekeeper.time-limited-work')]()`);

/** The work took longer than its limit and was ended in the middle. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** There are not enough free file descriptors, so the work was not begun. */
export class NoTimeLimitError extends Error {
  override readonly name = 'NoTimeLimitError';
}

/**
 * Node aborts the process if the thread that watches the time cannot open its descriptors (`Watchdog` in Node's src/node_watchdog.cc). It opens
 * four; each of the four threads of libuv may open another one meanwhile.
 */
const DESCRIPTORS_NEEDED = 8;

/**
 * Runs synchronous work that may not end by itself, such as a search for a regular expression, and ends it after `limitMs`. Throws
 * TimeLimitError then; what the work has changed stays as it was at that moment. Throws NoTimeLimitError if that cannot be ensured. Costs
 * about 0.1 ms, for the thread that watches the time.
 */
export function withTimeLimit<T>(limitMs: number, work: () => T): T {
  checkDescriptors();
  const holder = globalThis as { [WORK]?: () => T };
  const outer = holder[WORK];
  holder[WORK] = work;
  try {
    return script.runInThisContext({ timeout: limitMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new TimeLimitError();
    throw error;
  } finally {
    if (outer) holder[WORK] = outer;
    else delete holder[WORK];
  }
}

function checkDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < DESCRIPTORS_NEEDED) opened.push(openSync(devNull, 'r'));
  } catch (cause) {
    throw new NoTimeLimitError('there are not enough free file descriptors', { cause });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
