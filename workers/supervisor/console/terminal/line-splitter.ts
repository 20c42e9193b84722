import { countCleanLines, DIRTY } from './clean-lines.ts';
import { CUT_MARK } from './line-cut.ts';
import { TerminalLine } from './terminal-line.ts';

const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;

/**
 * Bytes of a line, its end not counted. Longer ones are cut, not split: a secret across a split would be in neither
 * half. The line says so at its end, behind a mark that the redaction needs (line-cut.ts).
 */
export const LONGEST_LINE = 64 * 1024;

const LINE_END = Buffer.from('\r\n');

/** Whole lines, each ending in CR LF: printable UTF-8, tabs, and SGR colours; nothing else. */
export interface Lines {
  /** Holds until the next call. */
  readonly text: Buffer;
  readonly count: number;
}

/**
 * What a program prints on a terminal, as lines. Any run of CR before LF ends a line. A line with cursor movements,
 * erasures or broken UTF-8 is drawn on a `TerminalLine` and comes out as it would be seen in the end; all others pass
 * through as they are, many at a time. The result does not depend on how the bytes were cut.
 */
export class LineSplitter {
  /** The line that has not ended yet. */
  #tail = Buffer.alloc(256);
  #tailLength = 0;
  /** The same, once it has become too long to be kept as it is. */
  #longLine: TerminalLine | undefined;
  #block = Buffer.alloc(0);

  /** Takes in bytes as they were read. Answers the lines that they complete, if any. */
  push(bytes: Buffer): Lines | undefined {
    const last = bytes.lastIndexOf(LF);
    if (last < 0) {
      this.#keep(bytes);
      return undefined;
    }
    const complete = bytes.subarray(0, last + 1);
    let lines: Lines | undefined;
    if (this.#longLine !== undefined) {
      lines = this.#endLongLine(complete);
    } else {
      lines = linesOf(this.#tailLength === 0 ? complete : this.#join(complete));
    }
    this.#tailLength = 0;
    this.#keep(bytes.subarray(last + 1));
    return lines;
  }

  /** What the unfinished line looks like now, without a line end: a prompt, a progress bar. Nothing of one that is too long. */
  unfinished(): Buffer {
    if (this.#longLine !== undefined || this.#tailLength === 0) {
      return Buffer.alloc(0);
    }
    const line = new TerminalLine(LONGEST_LINE);
    line.feed(this.#tail.subarray(0, this.#tailLength));
    const drawn = line.render();
    return drawn.includes(CUT_MARK) ? Buffer.alloc(0) : drawn;
  }

  /** The unfinished line as a line of its own, when nothing more will come. */
  flush(): Lines | undefined {
    if (this.#tailLength === 0 && this.#longLine === undefined) {
      return undefined;
    }
    const lines = this.push(Buffer.from([LF]));
    return lines !== undefined && lines.text.length > LINE_END.length ? lines : undefined;
  }

  #keep(bytes: Buffer): void {
    if (this.#longLine === undefined && this.#tailLength + bytes.length > LONGEST_LINE) {
      this.#longLine = new TerminalLine(LONGEST_LINE);
      this.#longLine.feed(this.#tail.subarray(0, this.#tailLength));
      this.#tailLength = 0;
    }
    if (this.#longLine !== undefined) {
      this.#longLine.feed(bytes);
      return;
    }
    const length = this.#tailLength + bytes.length;
    if (length > this.#tail.length) {
      const wider = Buffer.alloc(length * 2);
      this.#tail.copy(wider, 0, 0, this.#tailLength);
      this.#tail = wider;
    }
    bytes.copy(this.#tail, this.#tailLength);
    this.#tailLength = length;
  }

  #join(complete: Buffer): Buffer {
    const length = this.#tailLength + complete.length;
    if (length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(length);
    }
    this.#tail.copy(this.#block, 0, 0, this.#tailLength);
    complete.copy(this.#block, this.#tailLength);
    return this.#block.subarray(0, length);
  }

  #endLongLine(complete: Buffer): Lines {
    const end = complete.indexOf(LF);
    const first = draw(complete.subarray(0, end), this.#longLine);
    this.#longLine = undefined;
    const rest = end + 1 < complete.length ? linesOf(complete.subarray(end + 1)) : undefined;
    return {
      text: Buffer.concat([first, LINE_END, ...(rest === undefined ? [] : [rest.text])]),
      count: 1 + (rest?.count ?? 0),
    };
  }
}

function linesOf(block: Buffer): Lines {
  const count = countCleanLines(block, LONGEST_LINE);
  return count === DIRTY ? cleaned(block) : { text: block, count };
}

/** Goes line by line where not all of them are as they should be. */
function cleaned(block: Buffer): Lines {
  const parts: Buffer[] = [];
  let count = 0;
  for (let from = 0; from < block.length; count++) {
    const end = block.indexOf(LF, from);
    let textEnd = end;
    while (textEnd > from && block[textEnd - 1] === CR) {
      textEnd--;
    }
    const line = block.subarray(from, textEnd);
    parts.push(end - from > LONGEST_LINE ? draw(line) : cleanedLine(line), LINE_END);
    from = end + 1;
  }
  return { text: Buffer.concat(parts), count };
}

function cleanedLine(line: Buffer): Buffer {
  if (isClean(line)) {
    return line;
  }
  // Line editors erase their prompt and print the line behind that: no need to draw what is behind.
  const erased = endOfLastErasure(line);
  const drawing = new TerminalLine(LONGEST_LINE);
  drawing.feed(line.subarray(0, erased));
  const rest = line.subarray(erased);
  return drawing.isBlank && isClean(rest) ? rest : draw(rest, drawing);
}

function draw(bytes: Buffer, line = new TerminalLine(LONGEST_LINE)): Buffer {
  line.feed(bytes);
  line.end();
  return line.render();
}

function isClean(line: Buffer): boolean {
  return countCleanLines(line, LONGEST_LINE) !== DIRTY;
}

/** Behind the last `ESC [ K` or `ESC [ J`, with or without a number, or 0. */
function endOfLastErasure(line: Buffer): number {
  for (let at = line.lastIndexOf(ESC); at >= 0; at = at > 0 ? line.lastIndexOf(ESC, at - 1) : -1) {
    const final = line[at + 2]! <= 0x32 ? at + 3 : at + 2;
    if (line[at + 1] === 0x5b && (line[final] === 0x4b || line[final] === 0x4a)) {
      return final + 1;
    }
  }
  return 0;
}
