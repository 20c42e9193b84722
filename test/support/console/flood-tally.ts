/** What a viewer has seen of a flood; plain data, so that a viewer in another process can send it. */
export interface FloodReport {
  /** Numbered lines that came. */
  lines: number;
  /** Lines that were announced as skipped. */
  skipped: number;
  /** The last line's number. */
  last: number;
  /** What was wrong: a number that was not the next one, a line that was not whole or not of the flood. The first few. */
  faults: string[];
  /** How many lines the server says it has printed; `undefined` before it does. */
  printed: number | undefined;
}

/** Reads along while the demo server floods its console, and checks each line as it comes; keeps none. */
export interface FloodTally {
  /** Takes one line, without its end. What comes before the flood is let pass. */
  takeLine(text: string): void;
  /** Takes a gap: `lines` are said to be missing here. */
  takeGap(lines: number): void;
  report(): FloodReport;
}

/** A tally for one flood: after a gap of N lines the number must be N further on, else one further on. */
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
        if (Number(number) !== next) fault(`line ${Number(number)} where ${next} was due`);
        seen.lines += 1;
        seen.last = Number(number);
        next = seen.last + 1;
        return;
      }
      const printed = END.exec(text)?.[1];
      if (printed !== undefined) {
        if (Number(printed) !== next - 1) fault(`the end where line ${next} was due`);
        seen.printed = Number(printed);
      } else if (begun) fault(`a foreign line: ${JSON.stringify(text)}`);
      else begun = text.includes(BEGIN);
    },
    takeGap(lines) {
      seen.skipped += lines;
      next += lines;
    },
    report: () => seen,
  };
}

/** As workers/demo prints them. */
const BEGIN = 'Flooding the console with ';
const NUMBERED = / line (\d{9}) the quick brown fox jumps over the lazy dog\.+/;
const END = /Flooded the console with (\d+) lines$/;
/** Without the line end. */
const LINE_LENGTH = 99;
const MOST_FAULTS = 5;
