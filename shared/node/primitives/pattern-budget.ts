import { TimeLimitError, withTimeLimit } from './time-limit.ts';

/** For one text. Patterns that pass the check take microseconds, so this is for what the check overlooked, with room for a loaded machine. */
const LIMIT_MS = 100;
/** A text that was being searched for less than this when the time was over is tried again. */
const TOO_LONG_MS = LIMIT_MS / 2;
/** How much time may be lost at once, and the share of all time that may be lost. */
const MOST_LOST_MS = 1_000;
const LOST_SHARE = 0.1;

/**
 * Runs patterns that an owner wrote, on texts that a player may have written. JavaScript's engine can need hours for one text, so each has a
 * time limit, and all of them together a share of the time (docs/decisions/0009-own-check-of-patterns.md).
 */
export class PatternBudget {
  /** Time that was lost to texts that took too long, milliseconds. */
  #lostMs = 0;
  #at = performance.now();

  /** Returns what `match` returns for each text; `undefined` for one that took too long, or if too much time was lost before. */
  each<Text, Result>(texts: readonly Text[], match: (text: Text) => Result): (Result | undefined)[] {
    const results: (Result | undefined)[] = [];
    let startedAt = 0;
    let hasFailed = false;
    const work = () => {
      while (results.length < texts.length) {
        startedAt = performance.now();
        const result = match(texts[results.length] as Text);
        results.push(result);
        hasFailed = false;
      }
    };
    while (results.length < texts.length) {
      if (this.#isSpent()) {
        results.push(undefined);
        continue;
      }
      try {
        withTimeLimit(LIMIT_MS, work);
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        const tookMs = performance.now() - startedAt;
        if (tookMs < TOO_LONG_MS) continue;
        this.#lostMs += tookMs;
        // Tried twice, because it may have been the machine that stood still.
        if (hasFailed) results.push(undefined);
        hasFailed = !hasFailed;
      }
    }
    return results;
  }

  /** Like `each`, for one text. */
  one<Result>(match: () => Result): Result | undefined {
    return this.each([match], (run) => run())[0];
  }

  #isSpent(): boolean {
    const now = performance.now();
    this.#lostMs = Math.max(0, this.#lostMs - (now - this.#at) * LOST_SHARE);
    this.#at = now;
    return this.#lostMs > MOST_LOST_MS;
  }
}
