import { TimeLimitError, withTimeLimit } from './time-limit.ts';

/** Patterns that pass the check take microseconds for a text, so this is for what the check overlooked. */
const LIMIT_MS = 100;
/** What a text may cost. Only time beyond this counts as lost. */
const ALLOWED_MS = 1;
/** A text on which the processor has worked for so long takes too long. On a loaded machine the time alone proves nothing. */
const TOO_LONG_MS = LIMIT_MS / 2;
/** How much time may be lost at once, and the share of all time that may be lost. */
const MOST_LOST_MS = 1_000;
const LOST_SHARE = 0.1;

/**
 * Runs patterns that an owner wrote, on texts that a player may have written. JavaScript's engine can need hours for one text, so each has a
 * time limit, and all of them together a share of the time (docs/decisions/0009-own-check-of-patterns.md).
 */
export class PatternBudget {
  /** Time of the processor that was lost to texts that took long, milliseconds. */
  #lostMs = 0;
  #at = performance.now();

  /** Returns what `match` returns for each text; `undefined` for one that took too long, or if too much time was lost before. */
  each<Text, Result>(texts: readonly Text[], match: (text: Text) => Result): (Result | undefined)[] {
    const results: (Result | undefined)[] = [];
    const next = () => match(texts[results.length] as Text);
    const allLeft = () => {
      while (results.length < texts.length) results.push(next());
    };
    while (results.length < texts.length) {
      if (this.isSpent) {
        results.push(undefined);
        continue;
      }
      const searched = results.length;
      const { inTime } = this.#charged(allLeft, LIMIT_MS, () => results.length - searched);
      // The time may be over just after the last result: then nothing is left to search.
      if (!inTime && results.length < texts.length) results.push(this.#alone(next));
    }
    return results;
  }

  /** Like `each`, for one text. */
  one<Result>(match: () => Result): Result | undefined {
    return this.each([match], (run) => run())[0];
  }

  /** Gives a text more and more time, until it has a result or the processor has worked on it for too long. */
  #alone<Result>(match: () => Result): Result | undefined {
    for (let limitMs = LIMIT_MS; ; limitMs *= 2) {
      let result: Result | undefined;
      const search = () => {
        result = match();
      };
      const { inTime, usedMs } = this.#charged(search, limitMs, () => 1);
      if (inTime) return result;
      if (usedMs >= TOO_LONG_MS) return undefined;
    }
  }

  /** Runs `work` within the limit, and counts what it costs beyond what so many texts may. Milliseconds. */
  #charged(work: () => void, limitMs: number, texts: () => number): { inTime: boolean; usedMs: number } {
    const before = process.threadCpuUsage();
    const inTime = isInTime(work, limitMs);
    const { user, system } = process.threadCpuUsage(before);
    const usedMs = (user + system) / 1000;
    this.#lostMs += Math.max(0, usedMs - ALLOWED_MS * texts());
    return { inTime, usedMs };
  }

  /** True while too much time is lost: no text gets a result. */
  get isSpent(): boolean {
    const now = performance.now();
    this.#lostMs = Math.max(0, this.#lostMs - (now - this.#at) * LOST_SHARE);
    this.#at = now;
    return this.#lostMs > MOST_LOST_MS;
  }
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
