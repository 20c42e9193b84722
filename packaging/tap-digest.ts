/** What tap counted: every assertion, and every test that ended without one. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Reads tap's output line by line and returns what a person wants of it: one line for a test file that passed, the whole
 * report of one that did not, and what was left out.
 */
export function tapDigest(): { read(line: string): string[]; totals(): Totals | undefined } {
  let totals: Totals | undefined;
  let report: string[] = [];
  /** After a file's `not ok` come its details, up to the next file. */
  let failing = false;

  return {
    read(line) {
      const counted = /^# \{ (.*) \}$/.exec(line)?.[1];
      if (counted !== undefined) totals = readTotals(counted);

      const result = /^(ok|not ok) \d+ - (.*)$/.exec(line);
      if (result) {
        failing = result[1] === 'not ok';
        const shown = failing
          ? [...report, line]
          : [`ok - ${result[2]}`, ...report.filter(saysWhatWasLeftOut).map((left) => `   ${left.trim()}`)];
        report = [];
        return shown;
      }
      if (line.startsWith('# Subtest: ')) failing = false;
      if (failing) return [line];
      report.push(line);
      return [];
    },
    totals: () => totals,
  };
}

/** Such as `total: 8, pass: 5, fail: 2, skip: 1`; tap leaves out what is zero. */
function readTotals(counted: string): Totals {
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(counted)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') };
}

/** Shown even where everything passed, so that nobody takes a test that did not run for one that did. */
function saysWhatWasLeftOut(line: string): boolean {
  // The words in capitals are tap's own, for tests that did not run or may fail.
  return /^\s*# left out: |^\s*ok .* # (SKIP|TODO)\b/i.test(line);
}
