import type { Delivery } from '../game/game-commands.ts';
import type { LineFeed } from '../game/line-feed.ts';
import { isSavedAnswer, isSavedLine } from '../game/line-patterns.ts';

export interface Confirmation {
  /** Sends the command; `undefined`: nobody knows whether it was taken. */
  send: () => Promise<Delivery | undefined>;
  /** Sources of patterns: that it was carried out, and that it was not. */
  done: string;
  failed: string | undefined;
  /** What an answer looks like that says that any command failed. */
  commandFailed: RegExp | undefined;
  /** Ends the waiting, for nobody wants the answer any more. */
  signal: AbortSignal;
}

/**
 * Sends a command and resolves to whether the server says that it was carried out: in the RCON answer, or in the log, behind the prefix,
 * where no player can write. Waits for one or the other until `signal` fires, which resolves to false.
 */
export async function awaitConfirmation(lines: LineFeed, options: Confirmation): Promise<boolean> {
  const { send, commandFailed, signal } = options;
  const verdict = Promise.withResolvers<boolean>();
  const done = new RegExp(options.done);
  const failed = options.failed === undefined ? undefined : new RegExp(options.failed);
  const stop = lines.onLine((line) => {
    const fits = (pattern: RegExp) => isSavedLine(line, { pattern, prefixExpected: lines.prefixSeen });
    if (fits(done)) verdict.resolve(true);
    else if (failed && fits(failed)) verdict.resolve(false);
  });
  const end = () => verdict.resolve(false);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  send().then((delivery) => {
    // Otherwise only the log can tell: some servers answer there (field-notes 0).
    if (delivery?.via !== 'rcon') return;
    const { answer } = delivery;
    if (isSavedAnswer(answer, options.done)) verdict.resolve(true);
    else if (commandFailed?.test(answer) || (options.failed !== undefined && isSavedAnswer(answer, options.failed)))
      verdict.resolve(false);
  }, verdict.reject);
  try {
    return await verdict.promise;
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}
