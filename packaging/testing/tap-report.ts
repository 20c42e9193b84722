/** What tap counted: every assertion, and every test that ended without one. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** Returns tap's own totals from what a test file printed; `undefined` if it printed none because it crashed or was killed. */
export function readTotals(tap: string): Totals | undefined {
  const counted = /^# \{ (.*) \}$/m.exec(tap)?.[1];
  if (counted === undefined) return undefined;
  // Such as `total: 8, pass: 5, fail: 2, skip: 1`; tap leaves out what is zero.
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(counted)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') };
}

/** Returns the lines that name a test that did not run: they are shown even if the file passed. */
export function skippedLines(tap: string): string[] {
  return (
    tap
      .split('\n')
      // The words in capitals are tap's own, for tests that did not run or may fail.
      .filter((line) => /^\s*# left out: |^\s*ok .* # (SKIP|TODO)\b/i.test(line))
      .map((line) => line.trim())
  );
}
