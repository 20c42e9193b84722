/** The numbered lines that game processes printed (test/fixtures/counting-game.ts). */
export interface Counted {
  lines: number;
  /** How many processes printed them. */
  runs: number;
  /** Lines that are missing, doubled or in the wrong place, and game processes that ran at the same time. */
  faults: string[];
}

const COUNTED = /\[Count\/INFO\]: run (\d+) line (\d+)$/;
const MAX_FAULTS = 10;

/** Checks that the lines of each process count up from 1 without a gap, and that they end before those of the next process begin. */
export function checkCounted(texts: readonly string[]): Counted {
  const seen = new Set<string>();
  const counted: Counted = { lines: 0, runs: 0, faults: [] };
  let current: string | undefined;
  let last = 0;
  for (const [index, text] of texts.entries()) {
    const [, run, number] = COUNTED.exec(text) ?? [];
    if (run === undefined) continue;
    if (run !== current) {
      if (seen.has(run)) fault(index, `run ${run} continues after run ${current} has begun`);
      else last = 0;
      seen.add(run);
      current = run;
      counted.runs = seen.size;
    }
    if (Number(number) !== last + 1) fault(index, `run ${run} has line ${number} where ${last + 1} is expected`);
    last = Number(number);
    counted.lines++;
  }
  return counted;

  function fault(index: number, what: string): void {
    if (counted.faults.length < MAX_FAULTS) counted.faults.push(`line ${index + 1}: ${what}`);
  }
}
