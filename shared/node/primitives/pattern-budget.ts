import { NoTimeLimitError, TimeLimitError, withTimeLimit } from './time-limit.ts';

/** Patterns that pass the check take microseconds for a text, so this is for what the check overlooked. */
const LIMIT_MS = 100;
/** A text on which the processor has worked for so long takes too long. On a loaded machine the time alone proves nothing. */
const TOO_LONG_MS = LIMIT_MS / 2;
/**
 * Processor time that a call may use: some for the time limit itself, and for each text what 300 ordinary patterns need. What is beyond it
 * counts as lost.
 */
const FREE_MS = 1;
const FREE_MS_PER_TEXT = 0.1;
const MOST_FREE_MS = LIMIT_MS;
/** How much time may be lost at once, and the share of all time that may be lost. */
const MOST_LOST_MS = 500;
const LOST_SHARE = 0.1;

/**
 * Runs patterns that an owner wrote, on texts that a player may have written. JavaScript's engine can need hours for one text, so each has a
 * time limit, and all of them together a share of the time (docs/decisions/0009-own-check-of-patterns.md).
 */
export class PatternBudget {
  /** Processor time that was lost to slow texts, milliseconds. */
  #lostMs = 0;
  #at = performance.now();

  /**
   * Returns what `match` returns for each text; `undefined` for one that took too long, if too much time was lost before, or while no time
   * limit can be set.
   */
  each<Text, Result>(texts: readonly Text[], match: (text: Text) => Result): (Result | undefined)[] {
    const results: (Result | undefined)[] = [];
    try {
      this.#search(texts, match, results);
    } catch (error) {
      if (!(error instanceof NoTimeLimitError)) throw error;
      while (results.length < texts.length) results.push(undefined);
    }
    return results;
  }

  /** Like `each`, for one text. */
  one<Result>(match: () => Result): Result | undefined {
    return this.each([match], (run) => run())[0];
  }

  #search<Text, Result>(texts: readonly Text[], match: (text: Text) => Result, results: (Result | undefined)[]): void {
    const next = () => match(texts[results.length] as Text);
    const allLeft = () => {
      while (results.length < texts.length) results.push(next());
    };
    let freeMs = Math.min(FREE_MS + texts.length * FREE_MS_PER_TEXT, MOST_FREE_MS);
    while (results.length < texts.length) {
      if (this.isSpent) {
        results.push(undefined);
        continue;
      }
      const { isOver, usedMs } = timed(allLeft, LIMIT_MS);
      this.#charge(usedMs, freeMs);
      freeMs = 0;
      // The time may be over just after the last result: then nothing is left to search.
      if (!isOver && results.length < texts.length) results.push(this.#alone(next));
    }
  }

  /** Gives a text more and more time, until it has a result or the processor has worked on it for too long. */
  #alone<Result>(match: () => Result): Result | undefined {
    for (let limitMs = LIMIT_MS; ; limitMs *= 2) {
      let result: Result | undefined;
      const { isOver, usedMs } = timed(() => {
        result = match();
      }, limitMs);
      this.#charge(usedMs, 0);
      if (isOver) return result;
      if (usedMs >= TOO_LONG_MS) return undefined;
    }
  }

  /**
   * Linux updates the processor time of a thread only every few milliseconds. So a call that used less than its free time makes up for
   * another, which seems to have used more.
   */
  #charge(usedMs: number, freeMs: number): void {
    this.#lostMs = Math.max(0, this.#lostMs + usedMs - freeMs);
  }

  /** True while too much time is lost: no text gets a result. */
  get isSpent(): boolean {
    const now = performance.now();
    this.#lostMs = Math.max(0, this.#lostMs - (now - this.#at) * LOST_SHARE);
    this.#at = now;
    return this.#lostMs > MOST_LOST_MS;
  }
}

/** Returns whether the work was over in time, and the processor time that it took. */
function timed(work: () => void, limitMs: number): { isOver: boolean; usedMs: number } {
  const before = process.threadCpuUsage();
  const isOver = isInTime(work, limitMs);
  const { user, system } = process.threadCpuUsage(before);
  return { isOver, usedMs: (user + system) / 1000 };
}

function isInTime(work: () => void, limitMs: number): boolean {
  try {
    withTimeLimit(limitMs, work);
    return true;
  } catch (error) {
    if (error instanceof TimeLimitError) return false;
    throw error;
  }
}
