import type { Delivery } from '../game/game-commands.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { LogLine } from '../game/log-prefix.ts';
import { LONGEST_MATCHED_LINE, ownerPatterns, testLines } from '../game/owner-patterns.ts';

export interface Confirmation {
  /** Sends the command; resolves to `undefined` if it is unknown whether the server took it. */
  send: () => Promise<Delivery | undefined>;
  /** Sources of the patterns for success and failure. */
  done: string;
  failed: string | undefined;
  /** The pattern of an answer to any failed command. */
  commandFailed: RegExp | undefined;
  signal: AbortSignal;
}

/**
 * Sends a command and resolves to whether the server confirms it: in the RCON answer, or in the log after the prefix, where players cannot
 * write. Resolves to false when `signal` fires first.
 */
export async function awaitConfirmation(lines: LineFeed, options: Confirmation): Promise<boolean> {
  const { send, commandFailed, signal } = options;
  const verdict = Promise.withResolvers<boolean>();
  const done = new RegExp(options.done);
  const failed = options.failed === undefined ? undefined : new RegExp(options.failed);
  const verdictIn = (line: LogLine) => {
    const fits = (pattern: RegExp) => isSavedLine(line, { pattern, prefixExpected: lines.prefixSeen });
    if (fits(done)) return true;
    return failed && fits(failed) ? false : undefined;
  };
  const stop = testLines(lines, verdictIn, (saved) => saved !== undefined && verdict.resolve(saved));
  const end = () => verdict.resolve(false);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  send().then((delivery) => {
    // Without a verdict in the answer the log decides: Cuberite, for example, answers some commands there.
    if (delivery?.via !== 'rcon') return;
    const { answer } = delivery;
    const saved = ownerPatterns.one(() => {
      if (isSavedAnswer(answer, options.done)) return true;
      const hasFailed =
        commandFailed?.test(answer) || (options.failed !== undefined && isSavedAnswer(answer, options.failed));
      return hasFailed ? false : undefined;
    });
    if (saved !== undefined) verdict.resolve(saved);
  }, verdict.reject);
  try {
    return await verdict.promise;
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}

export interface SavedLineContext {
  pattern: RegExp;
  /** True if this server's lines have prefixes: a line without one continues a longer message, which may be a player's. */
  prefixExpected: boolean;
}

/** True if a line confirms that the world is on disk. The pattern must match from the first character of the message. */
export function isSavedLine({ message, prefixed }: LogLine, { pattern, prefixExpected }: SavedLineContext): boolean {
  if (prefixExpected && !prefixed) return false;
  return pattern.exec(message.slice(0, LONGEST_MATCHED_LINE))?.index === 0;
}

/**
 * True if an RCON answer confirms it. Vanilla before 1.13 joins the messages of one command without separators, so the pattern's anchors are
 * dropped; no player can write into an RCON answer.
 */
export function isSavedAnswer(answer: string, patternSource: string): boolean {
  const body = patternSource.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  return new RegExp(body).test(answer.slice(-LONGEST_MATCHED_LINE));
}
