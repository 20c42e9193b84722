/** What a viewer received of a flood. Plain data, so that a viewer in another process can send it. */
export interface FloodReport {
  /** Numbered lines received. */
  lines: number;
  /** Lines announced as skipped. */
  skipped: number;
  /** Number of the last line. */
  last: number;
  /** The first few faults: numbers that were not the next one, incomplete lines, lines that do not belong to the flood. */
  faults: string[];
  /** How many lines the server reports to have printed; `undefined` until it does. */
  printed: number | undefined;
}

/** Checks each line of the demo server's flood as it arrives, and keeps none. */
export interface FloodTally {
  /** Takes one line without its line end. Ignores lines before the flood. */
  takeLine(text: string): void;
  /** Takes an announced gap of this many lines. */
  takeGap(lines: number): void;
  report(): FloodReport;
}

/** Creates a tally for one flood, in which numbers must increase by 1, and after a gap of N lines by N + 1. */
export function createFloodTally(): FloodTally {
  const seen: FloodReport = { lines: 0, skipped: 0, last: 0, faults: [], printed: undefined };
  let begun = false;
  let next = 1;

  function fault(what: string): void {
    if (seen.faults.length < MOST_FAULTS) seen.faults.push(what);
  }

  return {
    takeLine(text) {
      const number = text.length === LINE_LENGTH ? NUMBERED.exec(text)?.[1] : undefined;
      if (number !== undefined) {
        if (Number(number) !== next) fault(`line ${Number(number)} where ${next} is expected`);
        seen.lines += 1;
        seen.last = Number(number);
        next = seen.last + 1;
        return;
      }
      const printed = END.exec(text)?.[1];
      if (printed !== undefined) {
        if (Number(printed) !== next - 1) fault(`the end where line ${next} is expected`);
        seen.printed = Number(printed);
      } else if (begun) fault(`another line: ${JSON.stringify(text)}`);
      else begun = text.includes(BEGIN);
    },
    takeGap(lines) {
      seen.skipped += lines;
      next += lines;
    },
    report: () => seen,
  };
}

/** The texts that workers/demo prints. */
const BEGIN = 'Flooding the console with ';
const NUMBERED = / line (\d{9}) the quick brown fox jumps over the lazy dog\.+/;
const END = /Flooded the console with (\d+) lines$/;
/** Without the line end. */
const LINE_LENGTH = 99;
const MOST_FAULTS = 5;
