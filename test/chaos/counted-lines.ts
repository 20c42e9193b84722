/** What a console says of the lines that its games counted (test/fixtures/counting-game.ts). */
export interface Counted {
  /** Counted lines. */
  lines: number;
  /** Processes that counted. */
  runs: number;
  /** Lines that are missing, doubled or in the wrong place, and games that ran at the same time. */
  faults: string[];
}

const COUNTED = /\[Count\/INFO\]: run (\d+) line (\d+)$/;
const MOST_FAULTS = 10;

/** Each game's lines must count up from 1 without a gap, and one game's must have ended before another's begin. Pure. */
export function checkCounted(texts: readonly string[]): Counted {
  const seen = new Set<string>();
  const counted: Counted = { lines: 0, runs: 0, faults: [] };
  let current: string | undefined;
  let last = 0;
  for (const [index, text] of texts.entries()) {
    const [, run, number] = COUNTED.exec(text) ?? [];
    if (run === undefined) continue;
    if (run !== current) {
      if (seen.has(run)) fault(index, `run ${run} goes on after run ${current} has begun`);
      else last = 0;
      seen.add(run);
      current = run;
      counted.runs = seen.size;
    }
    if (Number(number) !== last + 1) fault(index, `run ${run} counts ${number} where ${last + 1} was due`);
    last = Number(number);
    counted.lines++;
  }
  return counted;

  function fault(index: number, what: string): void {
    if (counted.faults.length < MOST_FAULTS) counted.faults.push(`line ${index + 1}: ${what}`);
  }
}
