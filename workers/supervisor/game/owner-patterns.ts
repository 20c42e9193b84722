import { PatternBudget } from '../../../shared/node/primitives/pattern-budget.ts';
import type { LineFeed } from './line-feed.ts';
import type { LogLine } from './log-prefix.ts';

/** Longer than any ready line or confirmation. The work of a pattern can grow with its square or cube. */
export const LONGEST_MATCHED_LINE = 512;

/** The time that the patterns of instances and of custom software may cost. One for the process, which has one thread. */
export const ownerPatterns = new PatternBudget();

/**
 * Tests every line from now on, those that arrive together at once, because a time limit costs more than most searches. `onResult` gets the
 * results in order, without those of lines that took too long. Returns a function that stops it.
 */
export function testLines<Result>(
  lines: LineFeed,
  test: (line: LogLine) => Result,
  onResult: (result: Result) => void,
): () => void {
  let waiting: LogLine[] = [];
  let stopped = false;
  const testWaiting = () => {
    const texts = waiting;
    waiting = [];
    if (stopped) return;
    for (const result of ownerPatterns.each(texts, test)) if (result !== undefined && !stopped) onResult(result);
  };
  const stop = lines.onLine((line) => {
    if (waiting.length === 0) queueMicrotask(testWaiting);
    waiting.push(line);
  });
  return () => {
    stopped = true;
    stop();
  };
}
